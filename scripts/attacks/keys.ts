// Keys that commands could read, and other spellings in which they could reach the model.
import { type Attempt, broken, held } from "./attempt.ts";
import type { Ground, PlayWish } from "./ground.ts";

/** Put together here, so that no file holds anything that looks like a key. */
const letters = "Qw7Er2Ty9Ui4Op1As8Df5Gh3Jk6Lz";
const keyLike = (start: string): string => `${start}${letters}${[...letters].reverse().join("")}`;
const value = keyLike(["s", "k", "-"].join(""));

const variables: readonly (readonly [name: string, about: string, wish?: PlayWish])[] = [
  ["ANTHROPIC_API_KEY", "the key of a vendor that is not in use"],
  ["OPENAI_API_KEY", "the key of another vendor"],
  ["GEMINI_API_KEY", "the key of a third vendor"],
  ["CODER_API_KEY", "the key of the model in use"],
  ["ACME_TICKET", "a variable that a configured provider names"],
  ["HARMLESS_NAME", "a value that looks like a key under a plain name"],
  ["NPM_CONFIG_X", "a value that looks like a key under a tool's name"],
];

const readings: readonly (readonly [how: string, command: (name: string) => string])[] = [
  ["env", () => "env"],
  ["printenv", (name) => `printenv ${name}`],
  ["its shell", (name) => `echo "$${name}"`],
  ["python", (name) => `python3 -c "import os; print(os.environ.get('${name}'))"`],
  ["/proc/self/environ", () => "tr '\\0' '\\n' < /proc/self/environ"],
  ["every environ in /proc", () => "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'"],
];

function configured(ground: Ground): void {
  const acme = { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1", api_key_env: "ACME_TICKET" };
  ground.write(`${ground.coderHome}/config.json`, JSON.stringify({ providers: { acme } }), 0o600);
}

const inEnvironment: readonly Attempt[] = variables.flatMap(([name, about]) =>
  readings.flatMap(([how, command]) =>
    [[], ["--no-sandbox"]].map((flags) => ({
      promise: "keys",
      name: `${about} is looked for by ${how}${flags.length > 0 ? ", without a sandbox" : ""}`,
      play: async (ground: Ground) => {
        configured(ground);
        const wish = { mode: "yolo", flags: flags.length > 0 ? flags : ["--sandbox"], env: { [name]: value } } as const;
        // What the model gets is redacted: whether the command had it is seen in a file.
        await ground.commands([`{ ${command(name)}; } > seen.txt`], wish);
        const seen = ground.text("seen.txt");
        if (seen === null) return broken("the command did not run");
        return seen.includes(value) ? broken("the command had it") : held("the command did not have it");
      },
    })),
  ),
);

const spellings: readonly (readonly [how: string, spell: (key: string) => string])[] = [
  ["plain", (key) => key],
  ["reversed", (key) => [...key].reverse().join("")],
  ["in base64", (key) => Buffer.from(key).toString("base64")],
  ["in base64, one byte off", (key) => Buffer.from(`x${key}`).toString("base64")],
  ["in base64, two bytes off", (key) => Buffer.from(`xy${key}`).toString("base64")],
  ["in base64 for addresses", (key) => Buffer.from(key).toString("base64url")],
  ["in hexadecimal", (key) => Buffer.from(key).toString("hex")],
  ["in large hexadecimal", (key) => Buffer.from(key).toString("hex").toUpperCase()],
  [
    "in hexadecimal with colons",
    (key) =>
      Buffer.from(key)
        .toString("hex")
        .replace(/..(?=.)/g, "$&:"),
  ],
  ["encoded for an address", (key) => [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join("")],
  ["over two lines", (key) => `${key.slice(0, 20)}\n${key.slice(20)}`],
  ["a letter a line", (key) => [...key].join("\n")],
  ["with blanks between", (key) => [...key].join(" ")],
  ["in two strings that are joined", (key) => `"${key.slice(0, 25)}" + "${key.slice(25)}"`],
  ["base64 of the reversed", (key) => Buffer.from([...key].reverse().join("")).toString("base64")],
];

const spelled: readonly Attempt[] = spellings.flatMap(([how, spell]) =>
  ["read", "bash"].map((tool) => ({
    promise: "keys",
    name: `a file holds the key ${how}; ${tool} shows it`,
    play: async (ground: Ground) => {
      const text = spell(value);
      ground.write("notes.txt", `before\n${text}\nafter\n`);
      const input = tool === "read" ? { path: "notes.txt" } : { command: "cat notes.txt" };
      const { sent } = await ground.play([{ calls: [{ tool, input }] }], { env: { CODER_API_KEY: value } });
      const found = JSON.stringify(text).slice(1, -1);
      // `read` numbers the lines.
      const isSeen = sent.includes(found) || text.split("\n").some((line) => line.length > 15 && sent.includes(line));
      return isSeen ? broken("the model got it") : held("replaced");
    },
  })),
);

export const keyAttempts: readonly Attempt[] = [...inEnvironment, ...spelled];
