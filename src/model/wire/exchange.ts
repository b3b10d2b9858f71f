import { fieldsOf, parsedJson } from "../../contract/json.ts";
import { type RunningLimit, startLimit } from "../../platform/limit.ts";
import { fetchUnpacked, type Route } from "../../platform/network.ts";
import type { Failure } from "../fault/fault.ts";
import { maxReplySize, tooLarge } from "../reply/limits.ts";
import { Pieces } from "./pieces.ts";

const maxErrorBody = 65_536;

/** The wait after a complete reply for the end of its body, so that the connection can be reused. */
const afterwardsMs = 1_000;

export interface Patience {
  /** Longest wait for the headers, and for each piece of content. Keep-alives, blank and unknown events do not count. */
  readonly idleMs: number;
  readonly route?: Route;
}

/** One request and its reply, aborted when too little or too much arrives, or on cancel. Keeps the reason. */
export class Exchange {
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal;
  readonly #patientMs: number;
  #idleMs: number;
  readonly #route: Route | undefined;
  readonly #cancel = () => this.fail({ kind: "cancelled" });
  #limit: RunningLimit | null = null;
  #failure: Failure | null = null;
  #body: Pieces | null = null;
  /** Whether the body is not an event stream; `null` = too early to tell. */
  #isStrange: boolean | null = null;
  #unreadBytes = 0;
  /** Time left when the reader paused. */
  #leftAtPause: number | null = null;
  #isClosed = false;
  #isRefusal = false;

  constructor(outer: AbortSignal, patience: Patience) {
    this.#outer = outer;
    this.#patientMs = patience.idleMs;
    this.#idleMs = this.#patientMs;
    this.#route = patience.route;
    outer.addEventListener("abort", this.#cancel, { once: true });
    if (outer.aborted) this.#cancel();
  }

  get failure(): Failure | null {
    return this.#failure;
  }

  eventRead(): void {
    this.#unreadBytes = 0;
  }

  progressed(): void {
    if (this.#leftAtPause === null) this.#limit?.renew(this.#idleMs);
    else this.#leftAtPause = this.#idleMs;
  }

  /** Stops the idle timer while the reader is busy: that time is not the server's. */
  pause(): void {
    this.#leftAtPause = this.#limit?.left() ?? this.#idleMs;
  }

  resume(): void {
    const left = this.#leftAtPause;
    if (left === null) return;
    this.#leftAtPause = null;
    if (this.#limit === null) this.#arm(left);
    else this.#limit.renew(left);
  }

  /** The reply is complete, so a server that keeps the connection open gets only a short time. */
  completed(isOver = true): void {
    const idleMs = isOver ? Math.min(this.#patientMs, afterwardsMs) : this.#patientMs;
    if (idleMs === this.#idleMs) return;
    this.#idleMs = idleMs;
    this.#arm(idleMs);
  }

  fail(failure: Failure): void {
    this.#failure ??= failure;
    this.#abort.abort();
  }

  /** Must always be called: closes an open connection and releases the caller's signal. */
  end(): void {
    this.#outer.removeEventListener("abort", this.#cancel);
    this.#disarm();
    if (!this.#isClosed) this.#abort.abort();
  }

  /** Sends the request. The caller reads only status and headers of the response. */
  async send(url: string, init: RequestInit): Promise<Response> {
    const request: BunFetchRequestInit = {
      ...init,
      ...this.#route,
      signal: this.#abort.signal,
      // Bun gives up after 360 s without a first byte; slow local models need longer, and the idle timer decides.
      timeout: false,
      // A redirect would carry the key in custom headers to another host, and turns POST into GET anyway.
      redirect: "manual",
    };
    this.#arm(this.#idleMs);
    const response = await fetchUnpacked(url, request);
    this.progressed();
    this.#isRefusal = !response.ok;
    const reader = response.body?.getReader();
    if (reader !== undefined) this.#body = new Pieces(() => reader.read());
    else if (response.ok) this.fail({ kind: "unreadable", detail: `HTTP ${response.status} without a body` });
    return response;
  }

  /** The next bytes of a successful reply; `null` at its end. Reads nothing ahead of its reader. */
  async next(): Promise<Uint8Array | null> {
    const bytes = await this.#read(true);
    if (bytes === null) return null;
    this.#isStrange ??= isNoStream(bytes);
    if (this.#isStrange !== true) return bytes;
    this.fail(failureIn(await this.#text([bytes])));
    return null;
  }

  async refusal(): Promise<string> {
    return await this.#text([]);
  }

  async #text(pieces: Uint8Array[]): Promise<string> {
    for (let bytes = await this.#read(false); bytes !== null; bytes = await this.#read(false)) pieces.push(bytes);
    return new TextDecoder().decode(Buffer.concat(pieces));
  }

  async #read(isStream: boolean): Promise<Uint8Array | null> {
    try {
      const { done, value } = (await this.#body?.next()) ?? { done: true as const, value: undefined };
      if (done) this.#isClosed = true;
      return done || !this.#admits(value.byteLength, isStream) ? null : value;
    } catch (error) {
      this.#failure ??= { kind: "broken", error };
      return null;
    }
  }

  #admits(bytes: number, isStream: boolean): boolean {
    const { signal } = this.#abort;
    this.#unreadBytes += bytes;
    if (!isStream) return this.#unreadBytes <= maxErrorBody && !signal.aborted;
    if (this.#unreadBytes > maxReplySize) this.fail(tooLarge);
    // A flood without content may keep the event loop from running the timer.
    else if (this.#limit?.left() === 0) this.#late();
    return !signal.aborted;
  }

  #arm(ms: number): void {
    this.#disarm();
    this.#limit = startLimit(ms, () => this.#late());
  }

  #disarm(): void {
    this.#limit?.stop();
    this.#limit = null;
  }

  #late(): void {
    this.#disarm();
    // resume() starts the timer again; a reader that never resumes must not keep the process alive.
    if (this.#leftAtPause !== null) return;
    if (this.#isRefusal) this.fail({ kind: "broken", error: new Error("the error's text did not end") });
    else this.fail({ kind: "idle", ms: this.#idleMs });
  }
}

const blanks: readonly number[] = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf];
const marks: readonly number[] = ["{", "[", "<"].map((mark) => mark.charCodeAt(0));

/** Whether a reply begins as JSON or HTML, which no event stream does, whatever its type; `null` = too early to tell. */
function isNoStream(bytes: Uint8Array): boolean | null {
  const first = bytes.find((byte) => !blanks.includes(byte));
  return first === undefined ? null : marks.includes(first);
}

/** Gateways report errors like this with a status of success; HTML comes from a wrong address or a login. */
function failureIn(text: string): Failure {
  if (text.trimStart().startsWith("<")) return { kind: "no_stream", form: "HTML" };
  const value = parsedJson(text);
  const { error, message, msg, detail } = fieldsOf(Array.isArray(value) ? value[0] : value);
  const isError = (error ?? null) !== null || [message, msg, detail].some((words) => typeof words === "string");
  return isError ? { kind: "reported", value } : { kind: "no_stream", form: "JSON" };
}
