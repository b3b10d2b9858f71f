import { type RunningLimit, startLimit } from "../../platform/limit.ts";
import { fetchUnpacked, type Route } from "../../platform/network.ts";
import type { Failure } from "../fault/fault.ts";
import { maxReplySize, tooLarge } from "../reply/limits.ts";
import { failureIn, isNoStream } from "./not-events.ts";
import { Pieces } from "./pieces.ts";

const maxErrorBody = 65_536;

/** What may still come when all has been said: the end of the body, which lets the connection be used again. */
const afterwardsMs = 1_000;

/** What the bytes of a good reply pass on their way to the SDK. */
export interface Gate {
  /** Nothing more passes: a reason to end the reply was found in it. */
  readonly isShut: boolean;
  /** What to hand on of them; empty = nothing yet. */
  push(bytes: Uint8Array): string;
  /** What to add when the body has ended. */
  end(): string;
}

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
 * What cut it off is kept here, because the SDK wraps or drops the reason.
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

  get signal(): AbortSignal {
    return this.#abort.signal;
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

  tooLarge(): void {
    this.fail(tooLarge);
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

  /** A good answer passes the gate; one that is an error comes as it is. */
  async fetch(url: string | URL | Request, init: RequestInit, gate: Gate): Promise<Response> {
    const request: BunFetchRequestInit = {
      ...init,
      ...this.#route,
      signal: this.signal,
      // Bun gives up after 360 s without a first byte; slow local models need longer, and the idle timer decides.
      timeout: false,
      // A redirect would carry the key in custom headers to another host, and turns POST into GET anyway.
      redirect: "manual",
    };
    this.#arm(this.#idleMs);
    const response = await fetchUnpacked(url, request);
    this.progressed();
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    this.#isRefusal = !response.ok;
    const body = this.#watchedBody(response.body, response.ok ? gate : null);
    // Of a good answer nobody reads them.
    return new Response(body, response.ok ? {} : { status, statusText, headers });
  }

  #watchedBody(body: ReadableStream<Uint8Array>, gate: Gate | null): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const pieces = new Pieces(() => reader.read());
    const read = () => pieces.next();
    const encoder = new TextEncoder();
    let isStrange = gate === null ? false : null;
    /** The next bytes to hand on; `null` = none will follow. */
    const next = async (): Promise<Uint8Array | null> => {
      while (gate?.isShut !== true) {
        const { done, value } = await read();
        if (done) this.#isClosed = true;
        if (done || !this.#admits(value.byteLength, gate !== null)) return null;
        if (gate === null) return value;
        isStrange ??= isNoStream(value);
        if (isStrange === true) {
          this.fail(failureIn(await this.#beginning(value, read)));
          return null;
        }
        const passed = gate.push(value);
        if (passed !== "") return encoder.encode(passed);
      }
      return null;
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      let bytes: Uint8Array | null = null;
      try {
        bytes = await next();
      } catch (error) {
        this.#failure ??= { kind: "broken", error };
      }
      if (bytes !== null) return controller.enqueue(bytes);
      const rest = gate?.end() ?? "";
      if (rest !== "") controller.enqueue(encoder.encode(rest));
      // Closed, not failed: a reply that already said it is complete stays complete, whatever happens afterwards.
      controller.close();
    };
    // No read-ahead: what a slow reader has not asked for yet must not pile up here.
    return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
  }

  /** As much of a body as an error is read from. */
  async #beginning(
    first: Uint8Array,
    read: () => Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>,
  ): Promise<string> {
    const pieces = [first];
    for (;;) {
      const { done, value } = await read();
      if (done || value === undefined || !this.#admits(value.byteLength, false))
        return new TextDecoder().decode(Buffer.concat(pieces));
      pieces.push(value);
    }
  }

  #admits(bytes: number, isOk: boolean): boolean {
    this.#unreadBytes += bytes;
    if (!isOk) return this.#unreadBytes <= maxErrorBody && !this.signal.aborted;
    if (this.#unreadBytes > maxReplySize) this.tooLarge();
    // A flood without content may leave the timer no turn.
    else if (this.#limit?.left() === 0) this.#late();
    return !this.signal.aborted;
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
