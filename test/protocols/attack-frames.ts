// Frames of a sound reply are repeated, lost, moved and cut off, each in turn.
import type { Wire } from "../support/wire/protocols.ts";
import type { Frame } from "../support/wire/reply.ts";
import type { Case, Try } from "../support/wire/run.ts";
import { readingOf } from "./reading.ts";
import { sample } from "./samples.ts";

type Change = (frames: readonly Frame[], at: number) => readonly Frame[];

const changes: Readonly<Record<string, Change>> = {
  "each frame twice": (frames, at) => frames.toSpliced(at, 0, frames[at]!),
  "each frame lost": (frames, at) => frames.toSpliced(at, 1),
  "each frame behind the next": (frames, at) => frames.toSpliced(at, 2, ...frames.slice(at, at + 2).reverse()),
  "ended after each frame": (frames, at) => frames.slice(0, at),
};

export const frameAttacks: readonly Case[] = [
  ...Object.entries(changes).map(([name, change]): Case => ({ name, tries: (wire) => eachFrame(wire, change) })),
  { name: "every frame twice", tries: (wire) => [attempt(wire, "all", doubled(wire.frames(sample)))] },
  { name: "ended inside each frame", tries: insideEach },
];

function eachFrame(wire: Wire, change: Change): readonly Try[] {
  const frames = wire.frames(sample);
  return frames.map((frame, at) => attempt(wire, `${at} ${frame.carries.kind}`, change(frames, at)));
}

function attempt(wire: Wire, at: string, frames: readonly Frame[]): Try {
  return {
    at,
    answer: { writes: [frames.map(({ sse }) => sse).join("")] },
    expected: readingOf(frames, sample, wire.protocol),
  };
}

function doubled(frames: readonly Frame[]): readonly Frame[] {
  return frames.flatMap((frame) => [frame, frame]);
}

/** The frame that was cut has not been sent: an event counts from its empty line on. */
function insideEach(wire: Wire): readonly Try[] {
  const frames = wire.frames(sample);
  return frames.map((frame, at) => {
    const whole = frames.slice(0, at);
    const half = frame.sse.slice(0, Math.floor(frame.sse.length / 2));
    return {
      at: `${at} ${frame.carries.kind}`,
      answer: { writes: [whole.map(({ sse }) => sse).join("") + half] },
      expected: readingOf(whole, sample, wire.protocol),
    };
  });
}
