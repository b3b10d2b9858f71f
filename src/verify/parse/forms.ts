import type { Runner } from "../../contract/verification.ts";
import { BunReader } from "./javascript/bun.ts";
import { EslintReader } from "./javascript/eslint.ts";
import { JestReader } from "./javascript/jest.ts";
import { JestJsonReader } from "./javascript/jest-json.ts";
import { MochaReader } from "./javascript/mocha.ts";
import { MochaJsonReader } from "./javascript/mocha-json.ts";
import { NodeSpecReader } from "./javascript/node-test.ts";
import { TapReader } from "./javascript/tap.ts";
import { TscReader } from "./javascript/tsc.ts";
import { VitestReader } from "./javascript/vitest.ts";
import { GradleReader } from "./jvm/gradle.ts";
import { XmlReader } from "./jvm/junit-xml.ts";
import { SurefireReader } from "./jvm/surefire.ts";
import { CargoReader } from "./other/cargo.ts";
import { GoReader } from "./other/go.ts";
import { OtherReader } from "./other/other.ts";
import { PytestReader } from "./other/pytest.ts";
import { brokenIn, type OutputReading, type Reader, type Scene } from "./reading.ts";

type Form = "json" | "xml" | "tap" | "text";

type ReaderOf = new (scene: Scene) => Reader;

/** How each runner prints its results as text. */
const asText: Readonly<Record<Runner, ReaderOf>> = {
  ...{ pytest: PytestReader, jest: JestReader, vitest: VitestReader, mocha: MochaReader, bun: BunReader },
  ...{ "node:test": NodeSpecReader, go: GoReader, cargo: CargoReader, surefire: SurefireReader },
  ...{ gradle: GradleReader, eslint: EslintReader, tsc: TscReader, other: OtherReader },
};
const asJson: Partial<Record<Runner, (scene: Scene) => Reader>> = {
  jest: (scene) => new JestJsonReader(scene, " › "),
  vitest: (scene) => new JestJsonReader(scene, " > "),
  mocha: (scene) => new MochaJsonReader(scene),
};
/** Runners that can also print TAP, or a JUnit report. */
const printing: readonly Runner[] = ["vitest", "mocha", "node:test", "other"];

export function readerFor(runner: Runner, scene: Scene): Reader {
  const text = new asText[runner](scene);
  const json = asJson[runner]?.(scene);
  const printed = printing.includes(runner) ? { xml: new XmlReader(scene, runner), tap: new TapReader(scene) } : {};
  const others = { ...printed, ...(json ? { json } : {}) };
  return Object.keys(others).length === 0 ? text : new Forms(scene, { ...others, text });
}

/** The form that is hardest to print by accident comes first. */
const order: readonly Form[] = ["json", "xml", "tap", "text"];

/** Several output forms of one runner: all are read, and the one that the runner wrote is taken. */
class Forms implements Reader {
  private readonly scene: Scene;
  private readonly readers: readonly (readonly [Form, Reader])[];

  constructor(scene: Scene, readers: Partial<Record<Form, Reader>>) {
    this.scene = scene;
    this.readers = order.flatMap((form) => (readers[form] === undefined ? [] : [[form, readers[form]] as const]));
  }

  line(text: string): void {
    for (const [, reader] of this.readers) reader.line(text);
  }

  end(): OutputReading {
    const readings = this.readers.map(([form, reader]) => [form, reader.end()] as const);
    const asked = askedForm(this.scene.command);
    const wanted = readings.find(([form]) => form === asked)?.[1];
    if (wanted !== undefined) return wanted;
    const whole = readings.filter(([, one]) => one.isComplete).map(([, one]) => one);
    const begun = readings.find(
      ([form, one]) => (form === "json" || form === "xml") && one.isSeen && !one.isComplete,
    )?.[1];
    const [first] = whole;
    if (begun !== undefined) return begun;
    if (first === undefined) return most(readings.map(([, one]) => one));
    const isBroken = (one: OutputReading) =>
      (one.failures.total > 0 && !one.isLoose) || (one.isComplete && brokenIn(one.counts) > 0);
    const hides = !isBroken(first) && readings.some(([, one]) => isBroken(one));
    return hides ? { ...first, isContradictory: true } : first;
  }
}

function askedForm(command: string): Form | null {
  if (/--json\b(?!=false)/.test(command)) return "json";
  const match = /(?:--reporter|--test-reporter|-R)(?:[= ]+)([\w-]+)/.exec(command);
  switch (match?.[1]) {
    case "json":
    case "json-stream":
      return "json";
    case "tap":
    case "tap-flat":
      return "tap";
    case "junit":
    case "xunit":
      return "xml";
    default:
      return null;
  }
}

/** Among incomplete readings, the one with most findings. */
function most(readings: readonly OutputReading[]): OutputReading {
  return readings.reduce((best, one) => (weight(one) > weight(best) ? one : best));
}

function weight(reading: OutputReading): number {
  return (reading.isSeen ? 1 : 0) + reading.failures.total * 2;
}
