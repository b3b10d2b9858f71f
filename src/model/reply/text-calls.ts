import type { DeltaBody } from "../../contract/delta.ts";
import type { ToolSpec } from "../../contract/message.ts";
import type { Calls } from "./calls.ts";
import { type FoundCall, readBlock } from "./text-call-forms.ts";

/** How weak models write calls into their text. `close: null`: up to the end of the reply. */
const forms: readonly { readonly open: string; readonly close: string | null }[] = [
  { open: "<tool_call>", close: "</tool_call>" }, // Hermes, Qwen
  { open: "<function=", close: "</function>" }, // Llama, Qwen coder
  { open: "```json", close: "\n```" },
  { open: "[TOOL_CALLS]", close: null }, // Mistral
];

type TextCallForm = (typeof forms)[number];

/** An open block. In pieces, because joining them at every delta would be quadratic. */
interface OpenBlock {
  readonly form: TextCallForm;
  readonly pieces: string[];
  tail: string;
}

/** Extracts calls from text (MD-6), holding back what may begin a call. Only offered tools count; everything else stays text. */
export class TextCalls {
  readonly #tools: ReadonlyMap<string, ToolSpec>;
  #held = "";
  #block: OpenBlock | null = null;

  constructor(tools: readonly ToolSpec[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  push(text: string, calls: Calls): readonly DeltaBody[] {
    const bodies: DeltaBody[] = [];
    let more = text;
    while (more !== "") {
      if (this.#block === null) {
        const seen = this.#held + more;
        const found = opening(seen);
        const shown = found?.at ?? seen.length - partialOpening(seen);
        bodies.push(...words(seen.slice(0, shown)));
        this.#held = found === null ? seen.slice(shown) : "";
        if (found === null) return bodies;
        this.#block = { form: found.form, pieces: [found.form.open], tail: "" };
        more = seen.slice(shown + found.form.open.length);
      } else {
        const end = grown(this.#block, more);
        if (end === null) return bodies;
        bodies.push(...this.#settle(this.#block, calls));
        more = more.slice(end);
      }
    }
    return bodies;
  }

  /** Handles the rest at the end of the reply: models often omit the last closing mark. */
  end(calls: Calls): readonly DeltaBody[] {
    const left = this.#block === null ? words(this.#held) : this.#settle(this.#block, calls);
    this.#held = "";
    return left;
  }

  #settle({ pieces }: OpenBlock, calls: Calls): readonly DeltaBody[] {
    this.#block = null;
    const text = pieces.join("");
    const found = readBlock(text, this.#tools);
    return found === null ? words(text) : found.flatMap((call) => callDeltas(call, calls));
  }
}

/** Appends `more` up to the closing mark and returns its used length; `null` if there is no closing mark. */
function grown(block: OpenBlock, more: string): number | null {
  const { close } = block.form;
  const seen = block.tail + more;
  const at = close === null ? -1 : seen.indexOf(close);
  if (close === null || at === -1) {
    block.pieces.push(more);
    block.tail = close === null ? "" : seen.slice(-close.length);
    return null;
  }
  const used = at + close.length - block.tail.length;
  block.pieces.push(more.slice(0, used));
  return used;
}

function words(text: string): readonly DeltaBody[] {
  return text === "" ? [] : [{ kind: "text", text }];
}

function callDeltas({ tool, args }: FoundCall, calls: Calls): readonly DeltaBody[] {
  const ordinal = calls.open();
  calls.close(ordinal);
  return [
    { kind: "tool_call_start", ordinal, providerId: null, tool },
    { kind: "tool_call_args", ordinal, text: JSON.stringify(args) },
    { kind: "tool_call_end", ordinal },
  ];
}

function opening(text: string): { readonly at: number; readonly form: TextCallForm } | null {
  const found = forms.map((form) => ({ at: text.indexOf(form.open), form })).filter(({ at }) => at !== -1);
  return found.length === 0 ? null : found.reduce((first, one) => (one.at < first.at ? one : first));
}

/** Length of the longest end of `text` that may begin an opening mark. */
function partialOpening(text: string): number {
  for (let length = Math.min(text.length, 12); length > 0; length--) {
    const end = text.slice(-length);
    if (forms.some(({ open }) => open.length > length && open.startsWith(end))) return length;
  }
  return 0;
}
