import { type RunningLimit, startLimit } from "../../platform/limit.ts";
import { fetchUnpacked, type Route } from "../../platform/network.ts";
import type { Failure } from "../fault/fault.ts";
import { maxReplySize, tooLarge } from "../reply/limits.ts";
import { failureIn, isNoStream } from "./not-events.ts";
import { Pieces } from "./pieces.ts";

const maxErrorBody = 65_536;

/** What may still come when all has been said: the end of the body, which lets the connection be used again. */
const afterwardsMs = 1_000;

export interface Patience {
  /**
   * Longest wait for the headers, and then for the next piece of the reply itself. Keep-alives, blank and unknown events are not part of
   * it: a server that sends nothing else is as silent as one that sends nothing.
   */
  readonly idleMs: number;
  /** How requests leave the machine. */
  readonly route?: Route;
}

/**
 * One request and its reply under watch: it is cut off when nothing arrives, when too much arrives, and on cancel.
 * What cut it off is kept here: the connection tells an abort, whatever was the reason.
 */
export class Exchange {
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal;
  readonly #patientMs: number;
  #idleMs: number;
  readonly #route: Route | undefined;
  readonly #cancel = () => this.fail({ kind: "cancelled" });
  #limit: RunningLimit | null = null;
  #failure: Failure | null = null;
  /** Of the answer; `null` = it has none. */
  #body: Pieces | null = null;
  /** Whether it is something else than a stream of events; `null` = too early to tell. */
  #isStrange: boolean | null = null;
  #unreadBytes = 0;
  /** What was left when its reader took time for itself. */
  #leftAtPause: number | null = null;
  /** The body was read to its end. */
  #isClosed = false;
  /** The answer is an error, whose status says more than its body. */
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

  /** A whole event was read. */
  eventRead(): void {
    this.#unreadBytes = 0;
  }

  /** Something of the reply itself arrived. */
  progressed(): void {
    if (this.#leftAtPause === null) this.#limit?.renew(this.#idleMs);
    else this.#leftAtPause = this.#idleMs;
  }

  /** Whoever reads the reply is busy with what it got: that time is not the server's. */
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

  /** The reply has said that it is complete: a server that keeps the connection open is not waited for long. */
  completed(isOver = true): void {
    const idleMs = isOver ? Math.min(this.#patientMs, afterwardsMs) : this.#patientMs;
    if (idleMs === this.#idleMs) return;
    this.#idleMs = idleMs;
    this.#arm(idleMs);
  }

  /** Ends the reply for a reason found in it; an earlier reason stays. */
  fail(failure: Failure): void {
    this.#failure ??= failure;
    this.#abort.abort();
  }

  /** Must always be called: it closes a connection still open and lets go of the caller's signal. */
  end(): void {
    this.#outer.removeEventListener("abort", this.#cancel);
    this.#disarm();
    if (!this.#isClosed) this.#abort.abort();
  }

  /** Sends the request. Of the answer only status and headers are its caller's to read. */
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

  /** The next bytes of a good answer; `null` = none will follow. Nothing is read ahead of who reads. */
  async next(): Promise<Uint8Array | null> {
    const bytes = await this.#read(true);
    if (bytes === null) return null;
    this.#isStrange ??= isNoStream(bytes);
    if (this.#isStrange !== true) return bytes;
    this.fail(failureIn(await this.#text([bytes])));
    return null;
  }

  /** What an answer that is an error says, as far as it is read. */
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
    // A flood without content may leave the timer no turn.
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
    // Who resumes arms it again; who never does must not keep the process alive by it.
    if (this.#leftAtPause !== null) return;
    if (this.#isRefusal) this.fail({ kind: "broken", error: new Error("the error's text did not end") });
    else this.fail({ kind: "idle", ms: this.#idleMs });
  }
}
