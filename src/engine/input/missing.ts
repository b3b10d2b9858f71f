// What an input or an answer needs and is not there.
import { type ErrorInfo, fail } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";

import type { Admission } from "../port.ts";

export const noPlan = fail("E_INVALID_ARGS", phrase("run.plan_none"), { advice: phrase("run.plan_none.advice") });
export const noModel: ErrorInfo = {
  code: "E_CONFIG",
  text: phrase("session.no_model"),
  advice: phrase("session.no_model.advice"),
};

export function refused(error: ErrorInfo): Admission {
  return { kind: "refused", error };
}
