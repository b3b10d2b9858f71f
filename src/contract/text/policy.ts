export const policyText = {} as const;
