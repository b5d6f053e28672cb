import type { FileSource } from '../../../../src/uploads/node/fileSource';
import { readWhole } from '../../../../src/uploads/node/fileReading';
import { memoryWith } from '../../../../src/service/node/multipartBody';

/** A file in memory that never changes. */
export function fakeSource(
  name: string,
  content: string | Uint8Array = name,
  more: Partial<FileSource> = {},
): FileSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const facts = () => Promise.resolve({ size: bytes.byteLength, identity: 'unchanged' });
  return {
    uri: `file:///${name}`,
    fileName: name,
    facts,
    async *open() {
      yield bytes;
    },
    whole: () => readWhole(name, more.facts ?? facts, () => Promise.resolve(memoryWith(bytes))),
    ...more,
  };
}
