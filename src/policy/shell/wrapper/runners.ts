// Programs that start a program of a package or environment by name: `npx vercel`, `poetry run twine upload`.

import { baseName } from "../verdict/destructive.ts";
import type { SimpleCommand, Word } from "../verdict/judgement.ts";

/** The words before the program, ignoring options and their values. */
const runners: Readonly<Record<string, readonly string[]>> = {
  ...{ npx: [""], pnpx: [""], bunx: [""], uvx: [""], "cross-env": [""], dotenv: [""], dotenvx: ["run"] },
  ...{
    npm: ["exec", "x"],
    pnpm: ["exec", "dlx"],
    yarn: ["exec", "dlx"],
    bun: ["x"],
    pipx: ["run"],
    uv: ["run", "tool run"],
  },
  ...{ poetry: ["run"], pipenv: ["run"], pdm: ["run"], hatch: ["run"], rye: ["run"], conda: ["run"], mamba: ["run"] },
  ...{ bundle: ["exec"], composer: ["exec"], mise: ["exec", "x"], asdf: ["exec"], direnv: ["exec ."] },
};
const valued = /^(?:-[pncfe]|--(?:package|with|from|name|python|spec|directory|project|prefix|file|env-file))$/;
const assignment = /^[A-Za-z_]\w*=/;

/** The command itself, and the commands it starts, as far as its words tell. */
export function withStarted(command: SimpleCommand): readonly SimpleCommand[] {
  const words = startedBy(command);
  if (words === null) return [command];
  const argv = words.flatMap((word) => (word.kind === "literal" ? word.value : []));
  return [command, ...withStarted({ ...command, words, argv: argv.length === words.length ? argv : null })];
}

/** `null` = not a runner. */
function startedBy({ words: [name, ...args] }: SimpleCommand): readonly Word[] | null {
  const program = name?.kind === "literal" ? baseName(name.value) : "";
  const heads = Object.hasOwn(runners, program) ? runners[program]! : [];
  for (const head of heads) {
    let rest = withoutOptions(args);
    for (const word of head === "" ? [] : head.split(" ")) {
      const [first] = rest;
      // The directory may be any.
      const isHead = first?.kind === "literal" && (first.value === word || word === ".");
      rest = isHead ? withoutOptions(rest.slice(1)) : [];
    }
    const [first] = rest;
    if (first === undefined) continue;
    // An unknown name does not count as every program: runners run project scripts all the time.
    if (first.kind !== "literal") return null;
    // `vercel@latest`
    return [{ ...first, value: first.value.replace(/(?<=.)@.*$/s, "") }, ...rest.slice(1)];
  }
  return null;
}

function withoutOptions(args: readonly Word[]): readonly Word[] {
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at]!;
    if (word.kind !== "literal" || !(word.value.startsWith("-") || assignment.test(word.value))) break;
    if (valued.test(word.value)) at += 1;
  }
  return args.slice(at);
}
