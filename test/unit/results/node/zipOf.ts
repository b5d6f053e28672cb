import { ZipFile } from 'yazl';

/** A zip archive of texts. */
export async function zipOf(entries: Readonly<Record<string, string>>): Promise<Buffer<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(entries)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
