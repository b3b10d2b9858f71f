import { hostOf } from "../../contract/network/network.ts";
import { defineTool, type InputIssue, type ToolInput } from "../../contract/tool.ts";
import { args, text } from "../args.ts";

interface FetchInput {
  readonly url: string;
}

/** Browsers do not accept longer ones either. */
const maxUrl = 4_000;

const fields = args({ url: text("", { min: 1 }) });

/** Validated before anybody is asked: every URL that passes has a known host. */
const input: ToolInput<FetchInput> = {
  toJSONSchema: fields.toJSONSchema,
  safeParse: (raw) => {
    const parsed = fields.safeParse(raw);
    const message = parsed.success ? problemOf(parsed.data.url) : null;
    if (message === null) return parsed;
    const issue: InputIssue = { path: ["url"], message };
    return { success: false, error: { issues: [issue] } };
  },
};

/** The message never repeats the URL, which may hold a password. */
function problemOf(given: string): string | null {
  if (given.length > maxUrl) return `must have at most ${maxUrl} characters`;
  if (/(?:\[|%5b)redacted:/i.test(given)) return "holds a placeholder in place of a secret, which leads nowhere";
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || hostOf(url).name === "")
    return "must be a whole http or https address, such as https://example.com/page";
  return url.username === "" && url.password === "" ? null : "must not hold a user name or password";
}

export const fetchUrl = defineTool<FetchInput>({
  name: "fetch",
  description:
    "Get a web page as Markdown; text and JSON as they are. GET only, 5 MiB, 30 s. A redirect to another host is told, not followed. Private addresses are refused.",
  input,
  access: "network",
  afterCrash: "repeat",
  hosts: ({ url }) => [hostOf(new URL(url))],
  run: async ({ url }, { signal, network }) =>
    (await import("./page.ts")).fetchPage(new URL(url), { signal, ...(network ? { network } : {}) }),
});
