export function projects(): string[];
