"""What bench/run-peers runs: the scenes, in which engines, how exactly and with which steps."""
import dataclasses
import fnmatch

ENGINES = ('bullet', 'ode', 'mujoco', 'siconos', 'cairn2d', 'cairn')
STIFF = ('bullet', 'ode', 'mujoco', 'siconos', 'cairn')


@dataclasses.dataclass(frozen=True)
class Scene:
    text: str
    kind: str                              # rest, packing, flow or verdict: which columns its table has
    tolerances: tuple = ('1e-8',)          # asked of Cairn
    engines: tuple = STIFF
    fine: bool = True                      # also Bullet in double precision with 200 iterations
    steps: tuple = ('1e-3',)               # [s]
    pack: str = ''                         # the file of settled grains that it starts from
    over_impulses: bool = False            # Cairn's errors are over impulses, not over free velocities
    large: bool = False                    # left out by --quick

    @property
    def settles(self):
        """Whether engines come to rest before the start; the wall's rest needs no time."""
        return self.kind == 'rest'


def _packings():
    """Siconos needs seconds for a step of 1000 spheres, MuJoCo's matrices are dense: both are left out of the rest."""
    out = {}
    for count, pack, large in (('1000', 'pack1000', False), ('4000', 'pack4000', False), ('16000', 'pack4000', True)):
        def scene(text, kind, tolerances, engines=('bullet', 'ode', 'cairn'), fine=count == '1000'):
            return Scene(text, kind, tolerances, engines, fine, pack=pack, over_impulses=True, large=large)

        rest = {'1000': '4', '4000': '4', '16000': '2'}[count]
        time = {'1000': '0.3', '4000': '0.1', '16000': '0.03'}[count]
        tight = ('1e-4',) if large else ('1e-4', '1e-6')
        tiles = ', four packings side by side' if large else ''
        peers = ('bullet', 'ode', 'siconos', 'cairn') if count == '1000' else ('bullet', 'ode', 'cairn')
        out['rest' + count] = scene('%s spheres in a box%s, mu = 0.5, after %s s in which each engine comes to rest by '
                                    'its own rules.' % (count, tiles, rest), 'rest', tight)
        out['spheres' + count] = scene('The same from the first step, with the overlaps that Bullet left in the packing.',
                                       'packing', tight, peers)
        out['flow' + count] = scene('One wall of the box is gone: the first %s s.' % time, 'flow', ('1e-3', '1e-4'))
        out['tilt' + count] = scene('Gravity leans by 35 degrees towards a wall: the first %s s.' % time, 'flow',
                                    ('1e-3', '1e-4'), fine=False)
    grains = dict(engines=('bullet', 'ode', 'cairn'), fine=False, pack='hulls2000', over_impulses=True)
    out['hulls2000'] = Scene('2000 convex polyhedra of 8 to 20 corners in a box, mu = 0.5, after 0.2 s in which each '
                             'engine comes to rest by its own rules.', 'rest', ('1e-4',), **grains)
    out['hullflow2000'] = Scene('One wall of that box is gone: the first 0.1 s.', 'flow', ('1e-3', '1e-4'), **grains)
    order = ('rest', 'spheres', 'flow', 'tilt', 'hulls', 'hullflow')
    return dict(sorted(out.items(), key=lambda item: order.index(item[0].rstrip('0123456789'))))


def _verdict(text):
    return Scene(text, 'verdict', steps=('1e-3', '5e-3'))


SCENES = {
    'wall': Scene('Wall of 176 blocks at rest, mu = 0.3, for 2 s; ok: no block has moved by 1e-3 m.', 'verdict',
                  engines=ENGINES),
    'shaking': Scene('The same on ground that goes as 0.125 m (1 - cos) at 2 Hz, for 5 s; drift: the block that moved '
                     'most.', 'verdict', ('1e-3', '1e-6'), ENGINES),
    **_packings(),
    'stack20': _verdict('20 equal cubes of 1 m, for 3 s; ok: the top one has moved by less than 1e-3 m.'),
    'alt10': _verdict('20 cubes, each second one 10 times as heavy; ok: as above.'),
    'heavy1000': _verdict('A cube 1000 times as heavy on a light one; ok: as above.'),
    'top1000': _verdict('20 cubes, the top one 1000 times as heavy; ok: as above.'),
    'incline49': _verdict('Block on a slope of 0.49 with mu = 0.5, for 2 s; ok: it has moved by less than 1e-4 m.'),
    'incline51': _verdict('The same on 0.51; ok: the distance slid is within 1 % of the exact one. Drift: its relative '
                          'error.'),
    'arch15': _verdict('Arch of 17 voussoirs, t/R = 0.15, mu = 0.7, for 3 s; ok: the keystone has sunk by less than '
                       '1e-3 m.'),
    'arch09': _verdict('The same with t/R = 0.09, for 5 s; ok: it falls, by a tenth of the span.'),
}


class Unknown(Exception):
    """A name that is none, with what was expected."""


def choose(text, known, what):
    """Those of the known names that are in a list of names, patterns (rest*) and beginnings; empty: all."""
    if not text:
        return list(known)
    chosen = set()
    for part in text.split(','):
        found = {part} & set(known) or set(fnmatch.filter(known, part)) or {n for n in known if part and n.startswith(part)}
        if not found:
            raise Unknown("unknown %s '%s', expected names, beginnings or patterns of %s" % (what, part, ' '.join(known)))
        chosen |= found
    return [n for n in known if n in chosen]
