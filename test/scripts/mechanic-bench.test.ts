import { expect, test } from "bun:test";
import { casesByChance, casesByHand } from "../../scripts/mechanic-bench/fault.ts";
import { figuresOf, tooFew } from "../../scripts/mechanic-bench/figures.ts";
import { loadPrograms, projectFiles } from "../../scripts/mechanic-bench/program.ts";
import { chanceFrom, spoil } from "../../scripts/mechanic-bench/spoil.ts";
import { failsTests, inFolder, lay, passes } from "../../scripts/mechanic-bench/tests.ts";
import { type Trial, trial } from "../../scripts/mechanic-bench/trial.ts";
import { builtBinary } from "../support/binary.ts";

const programs = loadPrograms();
const scripts = programs.filter(({ language }) => language === "script");

test("there are enough programs of both languages, and every fault is one place in one of them", () => {
  const cases = casesByHand(programs);
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(new Set(programs.map(({ language }) => language))).toEqual(new Set(["python", "script"]));
  expect(cases.filter(({ broken, program }) => broken === program.source)).toEqual([]);
});

test("unbroken programs pass their visible and hidden tests, and a fault by hand fails the visible ones", async () => {
  for (const program of scripts.slice(0, 4)) {
    const seen = await inFolder(projectFiles(program), async (folder) => {
      lay(folder, { [program.hidden.path]: program.hidden.text });
      return [await passes(folder, program.test.path), await passes(folder, program.hidden.path)];
    });
    expect([program.name, ...seen]).toEqual([program.name, true, true]);
  }
  for (const { program, broken, name } of casesByHand(scripts.slice(0, 4)))
    expect([name, await inFolder(projectFiles(program, broken), (at) => failsTests(at, program.test.path))]).toEqual([
      name,
      true,
    ]);
});

test("the same seed makes the same faults, another seed others, each in one line", async () => {
  const three = scripts.slice(0, 3);
  const texts = async (seed: number) => (await casesByChance(three, 3, seed)).map(({ name, broken }) => [name, broken]);
  const first = await texts(5);
  expect(await texts(5)).toEqual(first);
  expect(await texts(6)).not.toEqual(first);
  const chance = chanceFrom(1);
  for (let n = 0; n < 200; n++) {
    const program = programs[n % programs.length]!;
    const spoilt = spoil(program, chance);
    const [before, after] = [program.source.split("\n"), spoilt?.text.split("\n") ?? []];
    if (spoilt) expect(before.filter((line, at) => line !== after[at])).toHaveLength(1);
  }
});

const few = ["js-async: nobody waits for the row", "js-cart: free delivery begins too late", "js-list: chunks overlap"];

test("a few broken programs are repaired through the real coder, and pass hidden tests then", async () => {
  const cases = casesByHand(scripts).filter(({ name }) => few.includes(name));
  const trials = await Promise.all(cases.map((one) => trial(builtBinary(), one)));
  expect(trials.map(({ name, verdict }) => [name, verdict])).toEqual(few.map((name) => [name, "fixed"]));
  expect(figuresOf(trials, false).missed).toEqual([]);
});

test("the figures fail the bench where they are missed", () => {
  const one = (verdict: Trial["verdict"]): Trial => ({
    name: "x",
    by: "hand",
    verdict,
    seconds: 1,
    checks: 1,
    note: "",
  });
  const times = (n: number, verdict: Trial["verdict"]) => Array.from({ length: n }, () => one(verdict));
  const missed = (...trials: readonly Trial[]) => figuresOf(trials, true).missed;
  expect(missed(...times(4, "fixed"), ...times(1, "overfitted"), ...times(5, "unfixed"))).toEqual([]);
  expect(missed(...times(3, "fixed"), ...times(7, "unfixed"))).toEqual(["fixed: less than 40 %"]);
  expect(missed(...times(8, "fixed"), ...times(2, "overfitted"))).toEqual(["overfitted: more than 10 %"]);
  expect(missed(...times(9, "fixed"), one("claimed"))).toEqual(["claimed: 1, and must be 0"]);
  expect(missed(...times(9, "fixed"), one("left"))).toEqual(["left: 1, and must be 0"]);
  expect([tooFew(60), tooFew(59)]).toEqual([null, "only 59 programs ran; 60 are wanted"]);
});
