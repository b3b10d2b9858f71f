import { expectRightVerdicts } from "../support/runner-expectations.ts";
import { localProjects } from "../support/runner-projects.ts";

for (const project of localProjects) expectRightVerdicts(project);
