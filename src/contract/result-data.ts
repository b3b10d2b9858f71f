import type { Phrase } from "./text/catalogue.ts";
import type { VerificationResult } from "./verification.ts";

/** Result fields for programs (`--output json`, exports). Tools add their own; fields that coder itself reads are listed here. */
export interface ResultData {
  readonly [more: string]: unknown;
  readonly command?: string;
  /** As a shell reports it; `null` = cancelled or still running. */
  readonly exit_code?: number | null;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly truncated?: boolean;
  readonly timed_out?: boolean;
  readonly cancelled?: boolean;
  /** The processor time limit that ended the command. */
  readonly cpu_seconds?: number;
  readonly unstopped?: readonly string[];
  /** It failed like a program that needs a terminal. */
  readonly wants_terminal?: boolean;
  readonly planted?: readonly string[];
  /** Files that could not be checked for that. */
  readonly unlooked?: number;
  readonly sandbox?: Phrase;
  /** Hidden secret files that the command seems to need. */
  readonly missed?: readonly string[];
  readonly job?: string;
  readonly verification?: VerificationResult;
  readonly verifications?: readonly VerificationResult[];
  /** The lines of a partial read; `total` is `null` if unknown. */
  readonly first?: number;
  readonly last?: number;
  readonly total?: number | null;
  readonly width?: number;
  readonly height?: number;
  readonly matches?: number;
  /** For people, in their language. */
  readonly said?: readonly Phrase[];
  readonly commit?: string;
  readonly branch?: string;
  readonly subject?: string;
}
