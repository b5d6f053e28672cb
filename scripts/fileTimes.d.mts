export function printFileTimes(times: readonly { name: string; seconds: number }[]): void;
