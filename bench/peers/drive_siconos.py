#!/usr/bin/python3
"""Siconos' driver: its Moreau-Jean scheme with theta = 1/2, NSGS, and Bullet's detection. Prints the line of JSON that
the other drivers print.

  drive_siconos.py --replay PROGRAM --scene NAME [--packs FOLDER] [--h 1e-3] [--tolerance 1e-4] [--limit SECONDS]
                   [--timing] [--shorten 1]

PROGRAM is peers_replay: it describes the scene, and measures the states that come out. Ground that moves is taken as an
acceleration of everything else.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions
from siconos.mechanics.collision.tools import Contactor

MAX_ITERATIONS = 1000


class Enough(Exception):
    """The CPU time allowed is spent."""


class Drive:
    """The ground's motion along x, amplitude (1 - cos), as a mean acceleration over a step."""

    def __init__(self, scene):
        self.amplitude, self.omega = scene['amplitude'], 2 * math.pi * scene['frequency']

    def acceleration(self, t, h):
        speed = lambda s: self.amplitude * self.omega * math.sin(self.omega * s)
        return (speed(t + h) - speed(t)) / h


class Recorder:
    """Times the steps, drives the ground and writes the states that are asked for."""

    def __init__(self, scene, limit, path):
        self.scene, self.limit, self.h = scene, limit, scene['h']
        self.gravity, self.drive = np.array(scene['gravity']), Drive(scene)
        self.samples = set(scene['samples'])
        self.file = open(path, 'w')
        self.bodies, self.cpu = [], []
        self.start = 0.0

    def push(self, body, gravity):
        force = np.zeros(6)
        force[:3] = body.scalarMass() * gravity
        body.setFExtPtr(force)

    def external_forces(self, body):
        self.push(body, self.gravity)
        self.bodies.append(body)

    def initialize(self, io):
        pass

    def call(self, io):
        """Before a step."""
        if self.scene['amplitude'] > 0:
            shift = np.array([self.drive.acceleration(len(self.cpu) * self.h, self.h), 0, 0])
            for body in self.bodies:
                self.push(body, self.gravity - shift)
        self.start = time.process_time()

    __call__ = call

    def after(self, io):
        self.cpu.append(time.process_time() - self.start)
        step, spent = len(self.cpu), sum(self.cpu[self.scene['warm']:]) > self.limit
        if step in self.samples or spent:
            self.write(io, step)
        if spent:
            raise Enough

    def write(self, io, step):
        contacts = io._simulation.oneStepNSProblem(0).getSizeOutput() // 3
        places, speeds = io._io.positions(io._nsds), io._io.velocities(io._nsds)
        places, speeds = (a[np.argsort(a[:, 0])] for a in (places, speeds))
        self.file.write('%d %d\n' % (step, contacts))
        for row in np.hstack([places[:, 1:8], speeds[:, 1:4]]):
            self.file.write(' '.join('%.17g' % x for x in row) + '\n')
        self.file.flush()


def add_shape(io, name, body):
    margins = {'insideMargin': 0.0, 'outsideMargin': 0.0}
    if body['kind'] == 'box':
        io.add_primitive_shape(name, 'Box', [2 * x for x in body['half']], **margins)
    elif body['kind'] == 'sphere':
        io.add_primitive_shape(name, 'Sphere', [body['radius']], **margins)
    else:
        io.add_convex_shape(name, np.array(body['corners']), **margins)


def write_model(scene, path):
    with MechanicsHdf5Runner(io_filename=path, mode='w') as io:
        for k, body in enumerate(scene['bodies']):
            add_shape(io, 'shape%d' % k, body)
            matter = {}
            if body['free']:
                matter = {'velocity': [0] * 6, 'mass': body['mass'], 'inertia': np.diag(body['inertia'])}
            io.add_object('body%d' % k, [Contactor('shape%d' % k)], translation=body['place'],
                          orientation=body['turn'], **matter)
        io.add_Newton_impact_friction_nsl('contact', mu=scene['mu'], e=0.0)


def solver_of(tolerance):
    options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = MAX_ITERATIONS
    options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
    # The true error, every tenth sweep, so that tolerances mean the same for all.
    options.iparam[numerics.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = \
        numerics.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL
    options.iparam[numerics.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 10
    return options


def detection():
    options = SiconosBulletOptions()
    options.worldScale = 1.0
    options.contactBreakingThreshold = 0.02
    options.perturbationIterations = 3
    options.minimumPointsPerturbationThreshold = 3
    return options


def simulate(scene, tolerance, limit, folder):
    model, states = os.path.join(folder, 'model.hdf5'), os.path.join(folder, 'states.txt')
    write_model(scene, model)
    recorder = Recorder(scene, limit, states)
    with MechanicsHdf5Runner(io_filename=model, mode='r+') as io:
        try:
            io.run(bullet_options=detection(), T=(scene['samples'][-1] + 0.5) * scene['h'], h=scene['h'],
                   theta=0.50001, Newton_max_iter=1, set_external_forces=recorder.external_forces,
                   solver_options=solver_of(tolerance), verbose=False, verbose_progress=False,
                   output_frequency=10**9, start_run_iteration_hook=recorder, end_run_iteration_hook=recorder.after)
        except Enough:
            pass
    recorder.file.close()
    return recorder.cpu, states


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--replay', required=True)
    parser.add_argument('--scene', required=True)
    parser.add_argument('--packs', default='.')
    parser.add_argument('--h', default='1e-3')
    parser.add_argument('--shorten', default='1')
    parser.add_argument('--timing', action='store_true')
    parser.add_argument('--tolerance', type=float, default=1e-4)
    parser.add_argument('--limit', type=float, default=60)
    o = parser.parse_args()
    replay = [o.replay, '--scene', o.scene, '--packs', o.packs, '--h', o.h, '--shorten', o.shorten]
    replay += ['--timing'] if o.timing else []
    call = lambda *more: json.loads(subprocess.run([*replay, *more], check=True, capture_output=True, text=True,
                                                   env={**os.environ, 'LD_PRELOAD': ''}).stdout)
    scene = call('--describe')
    with tempfile.TemporaryDirectory() as folder:
        cpu, states = simulate(scene, o.tolerance, o.limit, folder)
        line = call('--states', states)
    warm = min(scene['warm'], len(cpu) - 1)
    timed = np.array(cpu[warm:warm + scene['timed']])
    line.update(engine='Siconos', settings='NSGS, %.0e' % o.tolerance, timed=len(timed),
                ms=1e3 * float(np.median(timed)), ms_mean=1e3 * float(np.mean(timed)))
    print(json.dumps(line))


if __name__ == '__main__':
    sys.exit(main())
