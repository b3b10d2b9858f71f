import { listProviders } from "../../config/model/catalogue.ts";
import type { KnownModel } from "../../engine/port.ts";
import type { Flags } from "../cli/flags.ts";
import { sourcesFrom } from "../trust/trust-state.ts";

export function knownModels(flags: Flags): readonly KnownModel[] {
  const listed = listProviders(sourcesFrom({ ...flags, trust: false }, true));
  const providers = listed.ok ? listed.value : [];
  const known = providers.flatMap(({ provider, keyFrom, models }) =>
    models.map(({ ref, contextWindow, price }): KnownModel => {
      const isUsable = provider !== null && (keyFrom !== null || !provider.needsKey);
      return { ref, contextWindow, price, isUsable };
    }),
  );
  return known.toSorted((one, other) => Number(other.isUsable) - Number(one.isUsable));
}
