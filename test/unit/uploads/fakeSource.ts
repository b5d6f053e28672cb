import type { FileSource } from '../../../src/uploads/fileSource';

/** A file in memory that never changes. */
export function fakeSource(
  name: string,
  content: string | Uint8Array = name,
  more: Partial<FileSource> = {},
): FileSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    uri: `file:///${name}`,
    fileName: name,
    facts: () => Promise.resolve({ size: bytes.byteLength, identity: 'unchanged' }),
    async *open() {
      yield bytes;
    },
    readInto(target) {
      target.set(bytes.subarray(0, target.byteLength));
      return Promise.resolve(bytes.byteLength);
    },
    ...more,
  };
}
