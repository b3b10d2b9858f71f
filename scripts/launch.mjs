// The one door for every npm script. Plain Node 20 and no packages, because on a fresh clone nothing else is there yet.
import {
  installFonts,
  installLanguages,
  installPackages,
  installPrograms,
  installScenarioPackages,
  installTestPrograms,
} from "./install.mjs";
import { bunFlags, bunPath, root, run, startEnvironment } from "./process.mjs";

/**
 * `needs` is made ready before the command runs; extra arguments of the npm script go to the end of `argv`, `alone` where
 * there are none.
 */
const commands = {
  start: { needs: [], argv: ["src/main.ts"], alone: ["demo"] },
  test: { needs: ["test programs"], argv: ["scripts/test.ts"] },
  "test:long": { needs: ["test programs"], argv: ["scripts/test.ts"], env: { CODER_TEST_LONG: "1" } },
  check: { needs: [], argv: ["scripts/check.ts"] },
  build: { needs: [], argv: ["scripts/build.ts"] },
  bench: { needs: ["build"], argv: ["bench/main.ts"] },
  "bench-peers": { needs: ["build"], argv: ["bench/peers/main.ts"] },
  "tui-bench": { needs: ["build"], argv: ["bench/main.ts", "terminal"] },
  torture: { needs: ["programs", "build"], argv: ["test/torture/main.ts"] },
  protocols: { needs: [], argv: ["scripts/protocols.ts"] },
  "policy-corpora": { needs: ["programs"], argv: ["scripts/policy-corpora.ts"] },
  "fuzz-policy": { needs: ["programs"], argv: ["scripts/fuzz-policy.ts"] },
  attacks: { needs: ["programs", "build"], argv: ["scripts/attacks.ts"] },
  work: { needs: ["programs", "languages", "build"], argv: ["scripts/work.ts"] },
  mutants: { needs: ["build"], argv: ["scripts/mutants.ts"] },
  format: { needs: [], argv: ["scripts/format.ts"] },
  conformance: { needs: [], argv: ["scripts/conformance.ts"] },
  "retrieval-bench": { needs: [], argv: ["scripts/retrieval-bench.ts"] },
  licences: { needs: [], argv: ["scripts/licences.ts"] },
  machines: { needs: [], argv: ["scripts/machines.ts"] },
  reference: { needs: [], argv: ["scripts/reference.ts"] },
  pack: { needs: [], argv: ["scripts/pack.ts"] },
  prepack: { needs: [], argv: ["scripts/pack.ts", "--stage"] },
  postpack: { needs: [], argv: ["scripts/pack.ts", "--restore"] },
  "mechanic-bench": { needs: ["build"], argv: ["scripts/mechanic-bench.ts"] },
  scenarios: { needs: ["programs", "scenario packages", "build"], argv: ["scripts/scenarios.ts"] },
  screenshots: { needs: ["programs", "fonts", "build"], argv: ["scripts/screenshots.ts"] },
  frames: { needs: ["programs", "fonts", "build"], argv: ["scripts/frames.ts"] },
  soak: { needs: ["build"], argv: ["scripts/soak.ts"] },
};

async function main([name = "", ...args]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`launch: unknown command "${name}". Known: ${Object.keys(commands).join(", ")}.`);
    return 2;
  }
  await installPackages();
  if (command.needs.includes("programs")) await installPrograms();
  if (command.needs.includes("test programs")) await installTestPrograms();
  if (command.needs.includes("languages")) await installLanguages();
  if (command.needs.includes("fonts")) await installFonts();
  if (command.needs.includes("scenario packages")) await installScenarioPackages();
  if (command.needs.includes("build")) {
    const code = await run(bunPath, [...bunFlags, `${root}/scripts/build.ts`], { cwd: root });
    if (code !== 0) return code;
  }
  const [script, ...fixed] = command.argv;
  const given = args.length === 0 ? (command.alone ?? []) : args;
  const isProduct = name === "start";
  return await run(bunPath, [...bunFlags, `${root}/${script}`, ...fixed, ...given], {
    cwd: isProduct ? undefined : root,
    env: isProduct ? startEnvironment() : { ...process.env, ...command.env },
  });
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error.isForPeople ? error.message : error);
    process.exit(1);
  },
);
