import { describe, expect, test } from "bun:test";
import { errorTable } from "../../../src/contract/error.ts";
import { helpFor } from "../../../src/main/cli/help.ts";
import { COMMANDS, GROUPS, nameOf, ROOT } from "../../../src/main/cli/table.ts";
import { TOPICS } from "../../../src/main/cli/topics.ts";
import { Cli } from "../../support/cli.ts";

const langs = ["en", "zh"] as const;
const names = COMMANDS.map(nameOf);

describe("help", () => {
  for (const lang of langs) {
    for (const word of ["", ...names, ...Object.keys(GROUPS), ...Object.keys(TOPICS)]) {
      test(`[CLI-2] [SU-4] ${lang}: coder help ${word} fits 80 columns`, () => {
        const lines = helpFor(word === "" ? [] : word.split(" "), lang).split("\n");
        expect(lines.filter((line) => Bun.stringWidth(line) > 80 || line !== line.trimEnd())).toEqual([]);
        expect(lines.length).toBeGreaterThan(1);
      });
    }

    for (const command of COMMANDS) {
      test(`[CLI-2] ${lang}: coder ${nameOf(command)} --help has its form, every flag and an example`, () => {
        const text = helpFor(nameOf(command).split(" "), lang);
        expect(text).toStartWith(`coder ${command.form} [FLAGS]\n`);
        for (const flag of command.flags) expect(text).toContain(` --${flag.name}`);
        expect(text).toContain(`\n  ${command.example}`);
        expect(command.example).toContain(`coder ${nameOf(command)}`);
      });
    }
  }

  test("[CLI-2] no command has a flag twice, and no two commands one name", () => {
    for (const command of [...COMMANDS, ROOT]) {
      const flags = command.flags.map((one) => one.name);
      expect([nameOf(command), flags.toSorted()]).toEqual([nameOf(command), [...new Set(flags)].toSorted()]);
    }
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  test("[SU-2] every exit code of the error table is explained", () => {
    const told = TOPICS["exit-codes"]?.rows.map(([code]) => code) ?? [];
    const used = new Set(["0", "3", "6", ...Object.values(errorTable).map((row) => String(row.exit))]);
    expect(told.toSorted()).toEqual([...used].toSorted());
  });

  test("[CLI-2] help is there in every spelling, on stdout, with exit code 0", async () => {
    using cli = new Cli();
    const root = await cli.run(["--help"]);
    expect([root.code, root.err]).toEqual([0, ""]);
    for (const args of [["help"], ["-h"]]) expect(await cli.run(args)).toEqual(root);
    const set = await cli.run(["config", "set", "--help"]);
    expect(set.out).toStartWith("coder config set <key> <value> [FLAGS]\n");
    for (const args of [
      ["help", "config", "set"],
      ["config", "--help", "set"],
      ["--help", "config", "set"],
    ])
      expect([args, await cli.run(args)]).toEqual([args, set]);
    expect(await cli.run(["config", "--help"])).toEqual(await cli.run(["help", "config"]));
  });

  test("[CLI-2] an unknown topic, and a group without its command, are usage errors that name what there is", async () => {
    using cli = new Cli();
    const topic = await cli.run(["help", "nothing"]);
    expect([topic.code, topic.out, topic.err]).toEqual([
      2,
      "",
      expect.stringContaining("exit-codes, environment, files"),
    ]);
    const group = await cli.run(["config"]);
    expect([group.code, group.err]).toEqual([2, expect.stringContaining("coder config <get|set|unset|schema|path>")]);
    const unknown = await cli.run(["config", "sett", "a", "b"]);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("unknown command config sett")]);
  });
});
