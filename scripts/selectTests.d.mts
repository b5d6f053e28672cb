export function testFiles(
  suite: 'unit' | 'integration' | 'browser',
  words: string[],
  root?: string,
): string[];
export function suitesOfWords(words: string[]): { found: Map<string, string[]>; unknown: string[] };
