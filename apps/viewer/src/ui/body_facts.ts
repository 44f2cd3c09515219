// The numbers of one body, as the panel shows them and as programs may ask for them.
import { contactsOn, displacement, kineticEnergy, length, plus, scaled, vectorAt } from "../data/derived";
import type { BodyContact, Vector } from "../data/derived";
import { BodyKind, type Contacts, type Frame } from "../data/types";
import type { Model } from "../model";

export interface BodyFacts {
  body: number;
  name: string;
  kind: "free" | "fixed" | "moved";
  mass: number; // [kg]
  position: Vector; // [m]
  velocity: Vector; // [m/s]
  speed: number; // [m/s]
  spin: Vector; // [rad/s] in the world's axes
  rotation: [number, number, number, number]; // quaternion x, y, z, w
  angle: number; // [rad] of the rotation: in the plane -pi to pi, in space 0 to pi
  axis: Vector; // of the rotation, in space
  energy: number; // [J]
  displacement: number | null; // [m] since frame 0
  weight: Vector; // [N]
  contacts: BodyContact[] | null; // null: not read
  contactForce: Vector | null; // [N] sum of all
}

const kinds: Record<number, BodyFacts["kind"]> = {
  [BodyKind.free]: "free",
  [BodyKind.fixed]: "fixed",
  [BodyKind.moved]: "moved",
};

function rotationOf(frame: Frame, body: number, plane: boolean): Pick<BodyFacts, "rotation" | "angle" | "axis"> {
  const rotation = [...frame.r.subarray(4 * body, 4 * body + 4)] as BodyFacts["rotation"];
  const [x, y, z, w] = rotation;
  if (plane) {
    const angle = 2 * Math.atan2(z, w);
    return { rotation, angle: Math.atan2(Math.sin(angle), Math.cos(angle)), axis: [0, 0, 1] };
  }
  const sine = Math.hypot(x, y, z);
  const side = w < 0 ? -1 : 1; // the shorter way round
  const axis: Vector = sine > 1e-9 ? scaled([x, y, z], side / sine) : [0, 0, 1];
  return { rotation, angle: 2 * Math.atan2(sine, side * w), axis };
}

function forcesOn(contacts: Contacts | null, body: number): Pick<BodyFacts, "contacts" | "contactForce"> {
  if (!contacts) return { contacts: null, contactForce: null };
  const list = contactsOn(contacts, body);
  return { contacts: list, contactForce: list.reduce<Vector>((sum, c) => plus(sum, c.force), [0, 0, 0]) };
}

export function factsOf(model: Model, body: number): BodyFacts | null {
  const { cast, shown, first } = model;
  if (!shown || !(body >= 0 && body < cast.bodies)) return null;
  const { frame } = shown;
  const velocity = vectorAt(frame.u, body);
  return {
    body,
    name: cast.names[body],
    kind: kinds[cast.kind[body]] ?? "fixed",
    mass: cast.mass[body],
    position: vectorAt(frame.x, body),
    velocity,
    speed: length(velocity),
    spin: vectorAt(frame.w, body),
    ...rotationOf(frame, body, cast.dimension === 2),
    energy: kineticEnergy(cast, frame, body),
    displacement: first ? displacement(frame, first, body) : null,
    weight: scaled(cast.gravity, cast.mass[body]),
    ...forcesOn(shown.contacts, body),
  };
}
