/** A value as JSON, with each ArrayBuffer as an array of its bytes. */
export function packed(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    each instanceof ArrayBuffer ? { $bytes: [...new Uint8Array(each)] } : each,
  );
}

export function unpacked(text: string): unknown {
  return JSON.parse(text, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && '$bytes' in each
      ? new Uint8Array(each.$bytes as number[]).buffer
      : each,
  ) as unknown;
}
