// The licence notices of everything that is inside dist/coder, read from what the bundler really puts in.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

/** The whole of THIRD_PARTY_NOTICES.md. */
export async function notices(): Promise<string> {
  const packages = (await bundledPackages()).map(readPackage);
  const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `${[
    intro,
    ["| package | version | licence |", "|---|---|---|", ...rows].join("\n"),
    ...packages.map(({ name, version, text }) => `## ${name} ${version}\n\n${quoted(text)}`),
    ...(packages.some(({ name }) => name === grammars) ? [grammarNotice] : []),
    ripgrep,
    bunNotice(),
  ].join("\n\n")}\n`;
}

const intro = `# Third-party notices

The program of coder is made of its own source (MIT, see LICENSE), the packages below, the search program ripgrep and the runtime Bun.
This file is written by \`npm run licences\` from what the build puts into the program; a test fails when it is out of date. The texts of
longer licences are in \`licences/\`.`;

/** Names without the platform: the same file goes with every one of them. */
async function bundledPackages(): Promise<readonly string[]> {
  const built = await Bun.build({
    entrypoints: [join(root, "src", "main.ts")],
    root,
    target: "bun",
    format: "esm",
    splitting: true,
    metafile: true,
    // Only this machine's package of them is installed; the others are the same program.
    external: ["@vscode/ripgrep-*"],
  });
  const names = Object.keys(built.metafile?.inputs ?? {}).flatMap((path) => packageOf(path) ?? []);
  return [...new Set(names)].sort();
}

/** `node_modules/a/node_modules/@b/c/d.js` is a file of `a/node_modules/@b/c`. */
export function packageOf(path: string): string | null {
  return /^.*?node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? null;
}

function readPackage(name: string): Package {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const notice = readdirSync(folder).find((one) => /^notice/i.test(one));
  if (version === undefined || license === undefined) throw new Error(`${name} does not say its version and licence`);
  const texts = [file, notice].flatMap((one) => (one === undefined ? [] : [readFileSync(join(folder, one), "utf8")]));
  const text = texts.length === 0 ? `Licensed under ${license}; the package brings no licence text.` : texts.join("\n");
  return { name, version, licence: license, text };
}

function quoted(text: string): string {
  const lines = text.replaceAll("\r", "").trim().split("\n");
  return ["```", ...lines.map((line) => line.trimEnd()), "```"].join("\n");
}

const grammars = "@vscode/tree-sitter-wasm";

const grammarNotice = `## tree-sitter and its grammars

The package ${grammars} brings tree-sitter, Copyright (c) 2018-2024 Max Brunsfeld, and grammars, compiled; each is under the MIT
licence as quoted above, with these holders: C++ and Go (c) 2014 Max Brunsfeld; Python (c) 2016 Max Brunsfeld; TypeScript and TSX
(c) 2017 Max Brunsfeld; Ruby (c) 2016 Rob Rix; Java (c) 2017 Ayman Nadeem; Rust (c) 2017 Maxim Sokolov; PHP (c) 2017 Josh Vera,
GitHub, (c) 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White.`;

const ripgrep = `## ripgrep

The program \`rg\` inside coder is ripgrep, Copyright (c) 2015 Andrew Gallant, offered under the MIT licence or the Unlicense at your
choice (https://github.com/BurntSushi/ripgrep), in the build of @vscode/ripgrep, Copyright (c) Microsoft Corporation, MIT. It is linked
with PCRE2, Copyright (c) 1997-2024 University of Cambridge and others, BSD 3-Clause with an exception for binary packages, and on
Linux with musl, Copyright (c) 2005-2020 Rich Felker and others, MIT.

${quoted(mitText("2015 Andrew Gallant"))}`;

/** Bun's own notice, as it comes with the types of exactly the version we build with. */
function bunNotice(): string {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules", "bun-types", "package.json"), "utf8")) as {
    version: string;
  };
  const page = readFileSync(join(root, "node_modules", "bun-types", "docs", "project", "license.mdx"), "utf8");
  const body = page.replace(/^---\n[\s\S]*?\n---\n/, "").trim();
  return `## Bun ${version}

The program contains the runtime Bun, unchanged (https://github.com/oven-sh/bun, version ${version}). JavaScriptCore inside it is under the GNU
Lesser General Public License (\`licences/LGPL-2.1.txt\`). To use a changed JavaScriptCore, build Bun with it as told below, and then
coder from its source with that Bun (\`docs/install.md\`). What Bun says about its parts:

${body
  // The names are enough; where npm gets them from is everybody's own setting.
  .replaceAll(/\[([^\]]+)\]\(https:\/\/npmjs[^)]*\)/g, "$1")
  .replaceAll(/ +\|/g, " |")
  .replaceAll(/\| -+(?= )/g, "|---")
  .replaceAll(/^## /gm, "### ")}

${quoted(mitText("the authors of Bun (Oven and contributors)"))}`;
}

function mitText(holder: string): string {
  const own = readFileSync(join(root, "LICENSE"), "utf8");
  return own.replace(/Copyright \(c\).*/, `Copyright (c) ${holder}`);
}
