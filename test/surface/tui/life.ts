// coder in a person's shell: what the terminal was before it and is after it, and the processes in it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../../support/binary.ts";
import type { Cli } from "../../support/cli.ts";
import { Person, type Sitting } from "../../support/pty.ts";
import { until } from "../../support/until.ts";

/** Says what its terminal was set to before and after, and waits for a line at its prompt. */
const line = `stty -g > "$NOTES/before"
"$@"
echo $? > "$NOTES/code.new"; mv "$NOTES/code.new" "$NOTES/code"
stty -g > "$NOTES/after"
printf '$ '
read line`;

/** In a shell that goes on when coder has been left. */
export class Shell implements AsyncDisposable {
  readonly person: Person;
  private readonly cli: Cli;

  constructor(
    cli: Cli,
    args: readonly string[],
    more: Partial<Sitting> = {},
    program: readonly string[] = builtBinary(),
  ) {
    this.cli = cli;
    const env = { HOME: cli.root, CODER_HOME: cli.home, NOTES: cli.root, ...more.env };
    const argv = ["sh", "-c", line, "sh", ...program, ...args];
    this.person = new Person({ ...more, argv, cwd: cli.workspace, env });
  }

  /** Of coder itself. */
  get pid(): number {
    const [pid] = childrenOf(this.person.pid);
    if (pid === undefined) throw new Error("coder does not run");
    return pid;
  }

  /** The exit code, once the shell has its prompt again. */
  async left(): Promise<number> {
    const file = join(this.cli.root, "code");
    await until("coder has left", () => existsSync(file));
    await this.person.waitFor(() => this.person.rows().some((row) => row.endsWith("$")));
    return Number(readFileSync(file, "utf8"));
  }

  /** As a person finds it: all of it has to be as it was before. */
  terminal() {
    const { emulator } = this.person;
    const read = (name: string): string => readFileSync(join(this.cli.root, name), "utf8");
    const { row = 0, column = 0 } = this.person.cursor() ?? {};
    return {
      isAsBefore: read("after") === read("before"),
      modes: [...emulator.modes].sort((one, other) => one - other),
      isAlternate: emulator.terminal.buffer.active.type === "alternate",
      isKeyboardPlain: this.person.isKeyboardPlain,
      title: this.person.title(),
      // The prompt of the shell stands alone in its line, and what it says is not coloured by us.
      prompt: this.person.rows()[row]?.slice(0, column + 1),
      colour: this.person.cell(row, 0).colour,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pid of childrenOf(this.person.pid)) process.kill(pid, "SIGKILL");
    await this.person[Symbol.asyncDispose]();
  }
}

/** What `Shell.terminal` says of a terminal in which nothing is left of us. */
export const asFound = {
  ...{ isAsBefore: true, modes: [7, 25], isAlternate: false, isKeyboardPlain: true, title: "" },
  ...{ prompt: "$", colour: null },
};

export function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

/** The last line above the shell's prompt. */
export function lastSaid(person: Person): string {
  return (
    person
      .rows()
      .filter((row) => row !== "" && row !== "$")
      .at(-1) ?? ""
  );
}

/** Presses a key that answers a question, again where coder says that it came before the question could be read. */
export async function pressUntil(person: Person, key: string, isDone: () => boolean): Promise<void> {
  const isTooEarly = (): boolean => person.screen().includes("You typed before the question");
  while (!isDone()) {
    await person.stopsTyping();
    if (isDone()) return;
    person.press(key);
    await until(`${key} does something on\n${person.screen()}`, () => isDone() || isTooEarly());
  }
}
