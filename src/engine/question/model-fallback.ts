import type { ModelFault } from "../../contract/delta.ts";
import type { ErrorInfo, Result } from "../../contract/error.ts";
import type { EventBody } from "../../contract/event.ts";
import type { ModelChoice, Settings } from "../../contract/settings.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { OpenFallback } from "../port.ts";

export interface FallbackDeps {
  readonly settings: Pick<Settings, "fallback">;
  readonly model: () => ModelChoice | null;
  readonly chooseModel: (ref: string) => Result<ModelChoice>;
  /** Why the model cannot be used now, although it could be opened. */
  readonly problemWith: (choice: ModelChoice) => ErrorInfo | null;
  readonly takeModel: (choice: ModelChoice) => void;
  readonly isInteractive: () => boolean;
  readonly push: (body: EventBody) => void;
  readonly publish: (offer: OpenFallback | null) => void;
}

/** Only unreachable models are replaced: another model must not get a request that one refused. */
const outages: readonly ModelFault["kind"][] = ["connection", "busy", "idle"];

export function isOutage(kind: ModelFault["kind"]): boolean {
  return outages.includes(kind);
}

/** Replaces an unreachable model: never without the user's approval, and always announced and recorded. */
export class Fallback {
  private readonly deps: FallbackDeps;
  private readonly failed = new Set<string>();
  private asked: { readonly offer: OpenFallback; readonly answer: (isYes: boolean) => void } | null = null;

  private taking: Promise<boolean> | null = null;

  constructor(deps: FallbackDeps) {
    this.deps = deps;
  }

  get open(): OpenFallback | null {
    return this.asked?.offer ?? null;
  }

  answer(isYes: boolean): boolean {
    const { asked } = this;
    asked?.answer(isYes);
    return asked !== null;
  }

  replied(): void {
    this.failed.clear();
  }

  /** Without a user to ask: the model that could have continued. */
  advice(): Phrase | null {
    const to = this.deps.isInteractive() || this.deps.settings.fallback.headless ? null : this.next();
    return to === null ? null : phrase("models.fallback.advice", { to });
  }

  /** Another model could take over, so retries may end early. */
  get isThere(): boolean {
    return (this.deps.isInteractive() || this.deps.settings.fallback.headless) && this.next() !== null;
  }

  private next(): string | null {
    const now = this.deps.model()?.ref;
    return this.deps.settings.fallback.models.find((ref) => ref !== now && !this.failed.has(ref)) ?? null;
  }

  /** `from`: the model of the failed call. Runs that fail at the same time share one question. */
  async take(from: string, error: ErrorInfo, signal: AbortSignal): Promise<boolean> {
    const now = this.deps.model()?.ref;
    if (now === undefined) return false;
    if (now !== from) return true;
    this.taking ??= this.takeNext(from, error, signal).finally(() => {
      this.taking = null;
    });
    return this.taking;
  }

  private async takeNext(from: string, { text: why }: ErrorInfo, signal: AbortSignal): Promise<boolean> {
    this.failed.add(from);
    for (let to = this.next(); to !== null && !signal.aborted; to = this.next()) {
      const offer: OpenFallback = { from, to, why };
      const chosen = this.deps.chooseModel(to);
      const problem = chosen.ok ? this.deps.problemWith(chosen.value) : chosen.error;
      if (chosen.ok && problem === null) return await this.switchIfApproved(offer, chosen.value, signal);
      this.failed.add(to);
      this.notify("models.fallback.unusable", { from, to, problem: problem?.text ?? "" });
    }
    return false;
  }

  private async switchIfApproved(offer: OpenFallback, choice: ModelChoice, signal: AbortSignal): Promise<boolean> {
    const isYes = this.deps.isInteractive() ? await this.ask(offer, signal) : this.deps.settings.fallback.headless;
    const { from, to, why } = offer;
    if (signal.aborted) return false;
    if (!isYes) {
      if (this.deps.isInteractive()) this.notify("models.fallback.refused", { from, to });
      return false;
    }
    this.deps.takeModel(choice);
    this.notify("models.fallback.given", { from, to, why });
    this.deps.push({ type: "model.changed", model: choice.ref });
    return true;
  }

  /** Not in the log: after a kill the call is repeated, and so is the question. */
  private ask(offer: OpenFallback, signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stop = () => resolve(false);
    signal.addEventListener("abort", stop, { once: true });
    this.asked = { offer, answer: resolve };
    this.deps.publish(offer);
    return promise.finally(() => {
      signal.removeEventListener("abort", stop);
      this.asked = null;
      this.deps.publish(null);
    });
  }

  private notify(
    key: `models.fallback.${"unusable" | "refused" | "given"}`,
    args: Record<string, string | Phrase>,
  ): void {
    this.deps.push({ type: "notice.given", text: phrase(key, args) });
  }
}
