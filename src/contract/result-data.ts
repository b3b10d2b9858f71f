import type { Phrase } from "./text/catalogue.ts";
import type { VerificationResult } from "./verification.ts";

/**
 * What programs read of a result (`--output json`, exports), in their spelling. Each tool adds its own; what coder itself looks at
 * is named here.
 */
export interface ResultData {
  readonly [more: string]: unknown;
  readonly command?: string;
  /** As a shell reports it; `null` = cancelled, or it still runs. */
  readonly exit_code?: number | null;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Something in the middle is missing. */
  readonly truncated?: boolean;
  readonly timed_out?: boolean;
  readonly cancelled?: boolean;
  /** The processor time after which it was ended. */
  readonly cpu_seconds?: number;
  /** Processes that could not be ended. */
  readonly unstopped?: readonly string[];
  /** It failed as programs do that need a terminal. */
  readonly wants_terminal?: boolean;
  /** What it made or changed although other programs obey it. */
  readonly planted?: readonly string[];
  /** Files that could not be looked at for that. */
  readonly unlooked?: number;
  /** What the sandbox had to do with its failure. */
  readonly sandbox?: Phrase;
  /** Secret files that it seems to need, which the sandbox hides. */
  readonly missed?: readonly string[];
  /** A background job that was started. */
  readonly job?: string;
  /** What a check says. */
  readonly verification?: VerificationResult;
  /** Of several checks, each. */
  readonly verifications?: readonly VerificationResult[];
  /** Of a part of a file, its lines; `total` is `null` where nobody knows. */
  readonly first?: number;
  readonly last?: number;
  readonly total?: number | null;
  /** Of an image. */
  readonly width?: number;
  readonly height?: number;
  readonly matches?: number;
  /** What to tell a person, in their language. */
  readonly said?: readonly Phrase[];
  readonly commit?: string;
  readonly branch?: string;
  readonly subject?: string;
}
