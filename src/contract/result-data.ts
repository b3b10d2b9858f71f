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
  /** The middle is missing. */
  readonly truncated?: boolean;
  readonly timed_out?: boolean;
  readonly cancelled?: boolean;
  /** The processor time limit that ended the command. */
  readonly cpu_seconds?: number;
  /** Processes that could not be killed. */
  readonly unstopped?: readonly string[];
  /** It failed like a program that needs a terminal. */
  readonly wants_terminal?: boolean;
  /** Protected files that the command created or changed. */
  readonly planted?: readonly string[];
  /** Files that could not be checked for that. */
  readonly unlooked?: number;
  /** How the sandbox contributed to the failure. */
  readonly sandbox?: Phrase;
  /** Hidden secret files that the command seems to need. */
  readonly missed?: readonly string[];
  /** The started background job. */
  readonly job?: string;
  readonly verification?: VerificationResult;
  /** Of each of several checks. */
  readonly verifications?: readonly VerificationResult[];
  /** The lines of a partial read; `total` is `null` if unknown. */
  readonly first?: number;
  readonly last?: number;
  readonly total?: number | null;
  /** For an image. */
  readonly width?: number;
  readonly height?: number;
  readonly matches?: number;
  /** For people, in their language. */
  readonly said?: readonly Phrase[];
  readonly commit?: string;
  readonly branch?: string;
  readonly subject?: string;
}
