export const WAIT_MS: number;
export const TEST_MS: number;
export const RUN_MS: number;
