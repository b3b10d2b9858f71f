import type { DeltaBody, ModelFault } from "../../contract/delta.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import { durationText } from "../../contract/show/duration.ts";
import { type PhraseArgs, phrase, type TextKey } from "../../contract/text/catalogue.ts";
import {
  isKeyRefused,
  isOverflow,
  isQuota,
  isToolRefusal,
  type ProviderError,
  readProviderError,
  retryAfterMs,
} from "./provider-error.ts";
import { isWaitedFor } from "./retry.ts";
import { safeWords } from "./safe-words.ts";

/** The target of a request, as far as a message may tell it. */
export interface Origin {
  readonly provider: string;
  readonly host: string;
  readonly model: string;
  /** Never shown, even if the provider repeats them. */
  readonly secrets: readonly string[];
  /** The environment variables that may hold the key. */
  readonly keyNames: readonly string[];
}

export type Failure =
  | { readonly kind: "cancelled" | "cut_short" }
  | { readonly kind: "idle"; readonly ms: number }
  | { readonly kind: "too_large"; readonly mib: number }
  /** The answer has another content type than an event stream. */
  | { readonly kind: "no_stream"; readonly form: "HTML" | "JSON" }
  | { readonly kind: "broken"; readonly error: unknown }
  | { readonly kind: "thrown"; readonly error: unknown }
  | { readonly kind: "refused"; readonly status: number; readonly headers: Headers; readonly text: string }
  /** An error object inside the stream. */
  | { readonly kind: "reported"; readonly value: unknown }
  | { readonly kind: "unreadable"; readonly detail: string };

type ErrorDelta = Extract<DeltaBody, { kind: "error" }>;

export function faultDelta(origin: Origin, failure: Failure): ErrorDelta {
  switch (failure.kind) {
    case "cancelled":
      return delta(origin, "cancelled", "model.cancelled", {}, { code: "E_CANCELLED", sideEffect: "none" });
    case "cut_short":
      return delta(origin, "protocol", "model.cut_short", {});
    case "idle":
      return delta(origin, "idle", "model.idle", { seconds: Math.round(failure.ms / 100) / 10 }, waiting);
    case "too_large":
      return delta(origin, "protocol", "model.too_large", { mib: failure.mib });
    case "no_stream": {
      const advice = phrase("advice.model_request");
      return delta(origin, "protocol", "model.no_stream", { form: failure.form }, { advice });
    }
    case "broken":
      return network(origin, failure.error, "model.broken");
    case "reported":
      return provider(origin, readProviderError(failure.value), null);
    case "unreadable":
      return unreadable(origin, failure.detail);
    case "thrown":
      return network(origin, failure.error, "model.unreachable");
    case "refused":
      return refused(origin, failure);
  }
}

const waiting: Partial<ErrorInfo> = { advice: phrase("advice.model_wait") };

function delta(
  origin: Origin,
  kind: ModelFault["kind"],
  key: TextKey,
  args: PhraseArgs,
  extra: Partial<ErrorInfo> = {},
  retryAfter: number | null = null,
): ErrorDelta {
  const text = phrase(key, { provider: origin.provider, host: origin.host, ...args });
  return { kind: "error", error: { code: "E_MODEL", text, ...extra }, fault: { kind, retryAfterMs: retryAfter } };
}

function unreadable(origin: Origin, detail: string): ErrorDelta {
  return delta(origin, "protocol", "model.unreadable", { detail: safeWords(detail, origin.secrets) || "?" });
}

function refused(origin: Origin, { status, headers, text }: Failure & { readonly kind: "refused" }): ErrorDelta {
  return provider(origin, { ...readProviderError(text), status, meaning: status }, retryAfterMs(headers, Date.now()));
}

/** Maps a provider's error to ours. The only place where provider text is interpreted. */
function provider(origin: Origin, error: ProviderError, retryAfter: number | null): ErrorDelta {
  const { status, meaning } = error;
  const words = safeWords(error.message, origin.secrets);
  const detail = [status === null ? "" : `HTTP ${status}`, words].filter((part) => part !== "").join(", ") || "?";
  const rejected = (advice: TextKey): ErrorDelta =>
    delta(origin, "bad_request", "model.rejected", { detail }, { advice: phrase(advice) });
  if (isOverflow(error)) {
    const advice = phrase("advice.model_overflow");
    return delta(origin, "overflow", "model.overflow", { detail, model: origin.model }, { advice });
  }
  if (isQuota(error)) return rejected("advice.model_quota");
  if (isKeyRefused(error)) {
    const names = origin.keyNames.join(" / ");
    return delta(origin, "auth", "model.auth", { detail }, { advice: phrase("advice.model_key", { names }) });
  }
  if (isToolRefusal(error)) return rejected("advice.model_tools");
  if (isBusy(error)) return busy(origin, detail, retryAfter ?? error.retryAfterMs);
  if (meaning !== null && meaning >= 300 && meaning < 500) return rejected("advice.model_request");
  return delta(origin, "protocol", "model.failed", { detail });
}

function busy(origin: Origin, detail: string, askedMs: number | null): ErrorDelta {
  if (askedMs === null || isWaitedFor(askedMs))
    return delta(origin, "busy", "model.busy", { detail }, waiting, askedMs);
  const args = { detail, time: durationText(askedMs) };
  return delta(origin, "busy", "model.busy_long", args, { advice: phrase("advice.model_wait_long") }, askedMs);
}

function isBusy({ meaning, code, message }: ProviderError): boolean {
  if (meaning !== null) return meaning === 408 || meaning === 429 || meaning >= 500;
  return /overload|rate.?limit|too many requests|server.?error|unavailable|time(d )?.?out/i.test(`${code} ${message}`);
}

function network(origin: Origin, error: unknown, key: "model.unreachable" | "model.broken"): ErrorDelta {
  const code = networkCode(error);
  if (code === null) return unreadable(origin, error instanceof Error ? error.message : String(error));
  const args = { detail: safeWords(code, origin.secrets) };
  if (/CERT|SELF_SIGNED|LEAF_SIGNATURE|ALTNAME/.test(code)) {
    // A retry is useless: only changed settings help.
    return delta(origin, "bad_request", "model.certificate", args, { advice: phrase("advice.model_certificate") });
  }
  if (/malformed|invalid.?http|decompress|zlib|brotli|^ERR__ERROR/i.test(code)) return unreadable(origin, code);
  const isRefused = code === "ERR_PROXY_TUNNEL" && error instanceof Error && tunnelRefusal.test(error.message);
  return delta(origin, isRefused ? "bad_request" : "connection", key, args);
}

/** Statuses with which a proxy refuses for good; the runtime reports them only in the message. */
const tunnelRefusal = /: 4(?!08|29)\d\d /;

/** The first system or fetch error code in the chain of causes. */
function networkCode(error: unknown): string | null {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < 8; depth++) {
    const { code } = current as { code?: unknown };
    if (typeof code === "string" && code !== "") return code;
    if (current.name === "TimeoutError") return "ETIMEDOUT";
    current = current.cause;
  }
  return null;
}
