// The same with runners from the registry; each is installed into a workspace of its own.
import { setDefaultTimeout } from "bun:test";
import { expectRightVerdicts } from "../support/runner-expectations.ts";
import { installedProjects } from "../support/runner-projects.ts";

setDefaultTimeout(300_000);

for (const project of installedProjects) expectRightVerdicts(project);
