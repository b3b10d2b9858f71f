import { fail, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { writeKeychain } from "../../platform/keychain.ts";
import { formProblem } from "../file/forms.ts";
import { whileLocked, writeConfig } from "../file/write.ts";
import { keysFile, readKeys, type StoredKeys } from "./keys.ts";

/** Does not overwrite an unreadable file: it may hold other keys. */
export async function storeKey(
  home: string,
  provider: string,
  key: string,
  where: "file" | "keychain",
): Promise<Result<void>> {
  if (formProblem("secret", key) !== null) return fail("E_CONFIG", phrase("config.bad_secret", { where: provider }));
  if (where === "keychain" && !writeKeychain(provider, key, [process.cwd()])) {
    return fail("E_IO", phrase("setup.keychain_refused"), { advice: phrase("setup.keychain_refused.advice") });
  }
  return await whileLocked(home, () => {
    const stored = readKeys(home);
    if (!stored.ok) return stored;
    const next: StoredKeys = { ...stored.value, [provider]: where === "keychain" ? true : key };
    return writeConfig(keysFile(home), `${JSON.stringify(next, null, 2)}\n`);
  });
}
