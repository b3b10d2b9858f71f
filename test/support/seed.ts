// `npm test` repeats the same random cases, so that a failure belongs to the change at hand; `npm run test:long` takes new ones.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.CODER_TEST_SEED ?? 1) });
