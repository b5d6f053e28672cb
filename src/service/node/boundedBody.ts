/** The body's first `limit` bytes as UTF-8 text, and whether there was more; the rest is not read. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ text: string; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let cut = false;
  for await (const chunk of body) {
    const room = limit - bytes;
    cut = chunk.byteLength > room;
    chunks.push(cut ? chunk.subarray(0, room) : chunk);
    bytes += chunk.byteLength;
    if (cut) break;
  }
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), cut };
}
