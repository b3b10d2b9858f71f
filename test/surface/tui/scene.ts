// The built program at a real terminal, with a scripted model behind it: what a person does, and what they see.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { expectFrame } from "../../support/frames.ts";
import { type Person, type Sitting, sitDown, sitDownTimed } from "../../support/pty.ts";
import type { Script } from "../../support/scripted-server.ts";

interface Setting extends Partial<Sitting> {
  readonly script?: Script;
  readonly lang?: "en" | "zh";
  readonly mode?: "plan" | "default" | "auto-edit" | "yolo";
  readonly args?: readonly string[];
  /** In the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of the person. */
  readonly config?: unknown;
  /** Nothing was ever sent from this machine. */
  readonly isFirst?: boolean;
  /** No model is named on the command line. */
  readonly isModelless?: boolean;
  /** Said to the shell that starts it. */
  readonly before?: string;
  /** Its clock is moved by the keys alone (`Person.tick`). */
  readonly isTimed?: boolean;
}

export const sizes = [
  { columns: 80, rows: 24, name: "" },
  { columns: 40, rows: 10, name: "-40x10" },
  { columns: 140, rows: 40, name: "-140x40" },
] as const;

/** A task of which the tokens are known ends with them, however short it was. */
export const usage = { input: 1_234, output: 56 };

type Replacement = readonly [from: string | RegExp, to: string];

interface Shot {
  /** All since the start, and not only what is in view. */
  readonly isWhole?: boolean;
  readonly person?: Person;
  /** What differs from run to run, besides the usual. */
  readonly replace?: readonly Replacement[];
}

/** What a spinner shows depends on the moment. */
const spinner = /[⠋⠙⠸⠴⠦⠇] /g;

export class Scene implements AsyncDisposable {
  readonly cli: Cli;
  readonly person: Person;

  private constructor(cli: Cli, person: Person) {
    this.cli = cli;
    this.person = person;
  }

  /** Returns once the application can be used. */
  static async begin(setting: Setting = {}): Promise<Scene> {
    const scene = Scene.open(setting);
    await scene.ready();
    return scene;
  }

  static open({ script = [], files = {}, config, isFirst = false, ...rest }: Setting): Scene {
    const cli = new Cli(script);
    for (const [path, text] of Object.entries(files)) put(join(cli.workspace, path), text);
    if (!isFirst) mkdirSync(join(cli.home, "history"), { recursive: true });
    // Whether an index is ready for the first request depends on the moment, and with it how full the window is.
    const own = isFirst ? config : { context: { map_tokens: 0 }, ...(config as object | undefined) };
    if (own !== undefined) put(join(cli.home, "config.json"), JSON.stringify(own));
    return new Scene(cli, sit(cli, rest));
  }

  /** The same workspace and home once more. */
  again(setting: Omit<Setting, "script" | "files" | "config" | "isFirst"> = {}): Person {
    return sit(this.cli, setting);
  }

  /** The application can be used. */
  ready(): Promise<void> {
    return this.sees(/^● /);
  }

  /** Typed and sent. */
  say(text: string): void {
    this.person.type(text);
    this.person.press("enter");
  }

  /** The list of what was shown shortened. */
  async details(): Promise<void> {
    this.person.press("ctrl+o");
    await this.sees(/━━ (?:Transcript|完整记录)/);
    this.person.press("ctrl+o");
  }

  /** The same after a text that was being typed. */
  async askedAfterTyping(what: string | RegExp): Promise<void> {
    await this.sees(what);
    await this.person.stopsTyping();
  }

  sees(what: string | RegExp | (() => boolean)): Promise<void> {
    return this.person.waitFor(what);
  }

  /** Something is asked, and the person has looked at it: what comes sooner is no answer. */
  async asked(what: string | RegExp): Promise<void> {
    await this.sees(what);
    await this.person.reads();
  }

  /** It was told, and nothing runs and nothing is asked any more. */
  async rests(after: string | (() => boolean)): Promise<void> {
    await this.sees(typeof after === "string" ? () => this.count(after) > 0 : after);
    await this.sees(() => !this.person.rows().some((row) => row.search(spinner) === 0 || /^[┏┃┗]/.test(row)));
  }

  /** Of a file in the workspace. */
  text(path: string): string {
    return readFileSync(join(this.cli.workspace, path), "utf8");
  }

  /** Of a file in the person's home. */
  home(path: string): string {
    return readFileSync(join(this.cli.home, path), "utf8");
  }

  /** The row of the screen in which the prompt begins. */
  promptRow(): number {
    return this.person.rows().findLastIndex((row) => row.startsWith("> ") || row.startsWith("! "));
  }

  /** What stands in the first row of the prompt. */
  typed(): string {
    const row = this.person.rows()[this.promptRow()] ?? "";
    return row.slice(2).startsWith("Ask anything") ? "" : row.slice(2);
  }

  /** How often it stands anywhere since the start. */
  count(text: string): number {
    return this.person.scrollback().join("\n").split(text).length - 1;
  }

  async frame(name: string, { person = this.person, isWhole = false, replace = [] }: Shot = {}): Promise<void> {
    await expectFrame(name, person, { isWhole, replace: [...replace, ...this.replacements()] });
  }

  /** What stands in every frame of it and differs from run to run. */
  private replacements(): readonly Replacement[] {
    const folder = this.cli.workspace.split("/").at(-1) ?? "";
    return [
      [this.cli.workspace, "WORKSPACE"],
      [new RegExp(`…\\S*${folder}`, "g"), "WORKSPACE"],
      [folder, "FOLDER"],
      [this.cli.root, "ROOT"],
      [spinner, "⠋ "],
      [/(?<=pid |^ {2})\d{3,}(?=\)\.)/g, "1234"],
      // A time that is too short to say anything is left out.
      [/(?:^| · | {2})\d+(?:\.\d+)? (?:s|秒)(?= ·|$)/g, ""],
      [/^ · /g, ""],
      [/[0-9a-z]{6}-[0-9a-z]{6}(?=_)/g, "SESSION"],
      // A part of the request is the path of the folder; how much of a reply has come, and how fast, depends on the moment.
      [/↑ \S+ ↓ \S+/g, "↑ 9 ↓ 9"],
      [/ · \d+ (?:tok\/s|token\/秒)/g, ""],
      // How many models there are.
      [/(\d+) of \d+ ━$/g, "$1 of 99 ━"],
      [/Thought for a moment$/g, "Thought for 1 s"],
      [/思考了片刻$/g, "思考了 1 秒"],
      [/\d+ 秒(?=后|未|无)/g, "1 秒"],
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.person[Symbol.asyncDispose]();
    this.cli[Symbol.dispose]();
  }
}

function sit(cli: Cli, setting: Setting): Person {
  const {
    lang = "en",
    mode = "default",
    args = [],
    columns = 80,
    rows = 24,
    isModelless,
    before,
    isTimed,
    ...rest
  } = setting;
  const model = isModelless ? [] : cli.model;
  // Whether this machine has a sandbox decides nothing here.
  const all = [...model, "--lang", lang, "--mode", mode, "--no-sandbox", ...args];
  const shell =
    before === undefined ? {} : { argv: ["sh", "-c", `${before}; exec "$0" "$@"`, ...cli.line(all).command] };
  return (isTimed ? sitDownTimed : sitDown)(cli, all, { columns, rows, ...shell, ...rest });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
