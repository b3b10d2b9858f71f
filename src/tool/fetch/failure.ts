import { fail, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";

const names = /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|DNS_\w+)$/;
const certificates = /CERT|TLS|SSL|SIGNED|VERIFY|ISSUER|EPROTO/;
const answers = /^(?:HPE_|Z_|ERR_|ECONNRESET$|EPIPE$)/;

/** What a connection, a resolver or an unpacker threw. */
export function failureOf(error: unknown, host: string): Result<never> {
  if (!(error instanceof Error)) throw error;
  const code = visible(String((error as { code?: unknown }).code ?? error.message).slice(0, 100));
  if (names.test(code))
    return fail("E_IO", phrase("fetch.no_host", { host, code }), { advice: phrase("fetch.no_host.advice") });
  if (certificates.test(code))
    return fail("E_IO", phrase("fetch.certificate", { host, code }), { advice: phrase("fetch.certificate.advice") });
  const isAnswer = answers.test(code) || (error as { code?: unknown }).code === undefined;
  const text = phrase(isAnswer ? "fetch.broken" : "fetch.unreachable", { host, code });
  return fail("E_IO", text, { advice: phrase("fetch.retry.advice") });
}
