// A made-up repository of any size: several languages, names that are used in other files, two kilobytes a file.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const words =
  "account address audit balance batch budget buffer cache cancel card cart channel charge check claim client clock column commit config cookie counter coupon cursor customer delta device discount document draft driver entry error event export factor feature field filter folder frame gateway grant group handle header health image import index input invoice item job journal key label layout ledger level limit line link list local lock login margin market memory menu merge message metric mirror model module month mount notice number offer option order output owner packet page panel parser patch path payment peer period permit phase pixel plan player point policy pool port price print process profile prompt proxy queue quota rate reader record refund region relay render report request reserve result retry reward role route rule sample scale schema scope score screen search section segment sender sensor series server session setting shard share sheet signal slot socket source stage status step stock storage store stream student style subject summary supply switch symbol table target task tax team tenant term theme thread ticket timer token tool topic total track trade transfer tree trigger trust type unit update upload user value vector vendor version view voice volume wallet watch weight widget window worker zone".split(
    " ",
  );

/** Makes the same tree for the same number of files. */
export function makeTree(folder: string, files: number): void {
  const made = new Set<string>();
  for (let at = 0; at < files; at++) {
    const random = randomFrom(at + 1);
    const [path, text] = fileOf(at, random);
    const target = join(folder, path);
    if (!made.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
    made.add(dirname(target));
    writeFileSync(target, text);
  }
}

type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed * 2654435761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return (state >>> 0) % below;
  };
}

const nameOf = (at: number): string => {
  const random = randomFrom(at * 7 + 3);
  const [a, b] = [words[random(words.length)]!, words[random(words.length)]!];
  return `${a}${b[0]!.toUpperCase()}${b.slice(1)}${at}`;
};

function fileOf(at: number, random: Random): readonly [path: string, text: string] {
  const kind = at % 20;
  const folder = `pkg${Math.floor(at / 1000)}/${words[Math.floor(at / 20) % words.length]}${Math.floor(at / 100) % 10}`;
  const others = Array.from({ length: 4 }, () => nameOf(random(at + 1)));
  const [form, ending] =
    kind < 12 ? [script, "ts"] : kind < 15 ? [python, "py"] : kind < 18 ? [go, "go"] : [prose, "md"];
  return [`${folder}/${nameOf(at)}.${ending}`, form(nameOf(at), others, random)];
}

const word = (random: Random): string => words[random(words.length)]!;
const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("");
const sentence = (random: Random): string => Array.from({ length: 8 }, () => word(random)).join(" ");

function script(name: string, others: readonly string[], random: Random): string {
  const imports = others.map((other) => `import { ${other} } from "../${word(random)}/${other}.ts";\n`).join("");
  const functions = many(5 + random(5), (index) => {
    const [a, b] = [word(random), word(random)];
    return `\n/** The ${sentence(random)}. */\nexport function ${index === 0 ? name : `${name}${a}${index}`}(${a}: string, ${b}: number): number {\n  const ${a}Value = ${others[index % 4]}(${a}, ${b});\n  if (${b} > ${random(100)}) return ${a}Value;\n  return ${a}.length + ${b};\n}\n`;
  });
  return imports + functions;
}

function python(name: string, others: readonly string[], random: Random): string {
  const imports = others.map((other) => `from pkg.${word(random)} import ${other}\n`).join("");
  return `${imports}\n\nclass ${name[0]!.toUpperCase()}${name.slice(1)}:\n    """The ${sentence(random)}."""\n${many(
    6 + random(5),
    (index) => {
      const a = word(random);
      return `\n    def ${a}_${index}(self, ${a}, limit=${random(9)}):\n        # ${sentence(random)}\n        value = ${others[index % 4]}(${a})\n        return value if value else limit\n`;
    },
  )}`;
}

function go(name: string, others: readonly string[], random: Random): string {
  return `package ${word(random)}\n\n${many(6 + random(5), (index) => {
    const a = word(random);
    return `\n// ${sentence(random)}\nfunc ${index === 0 ? name : `${name}${index}`}(${a} string) int {\n\tvalue := ${others[index % 4]}(${a})\n\treturn len(${a}) + value\n}\n`;
  })}`;
}

function prose(name: string, others: readonly string[], random: Random): string {
  return `# ${name}\n\n${many(12 + random(10), (index) => `## ${word(random)} ${word(random)}\n\n${sentence(random)}, see ${others[index % 4]}.\n\n`)}`;
}
