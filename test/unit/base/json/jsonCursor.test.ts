import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonCursor, NeedsMoreBytes, NotJson } from '../../../../src/base/jsonCursor';

/** Skips one value and the white space after it, piece by piece. Throws what the cursor throws. */
function skipInPieces(pieces: Uint8Array[]): void {
  const cursor = new JsonCursor();
  const step = (work: () => boolean): boolean => {
    try {
      return work();
    } catch (error) {
      if (error instanceof NeedsMoreBytes && !cursor.isLast) return false;
      throw error;
    }
  };
  let isSkipped = false;
  let isEnd = false;
  [...pieces, undefined].forEach(piece => {
    const rest = cursor.bytes.subarray(cursor.position, cursor.end);
    cursor.bytes = Buffer.concat([rest, piece ?? new Uint8Array(0)]);
    cursor.position = 0;
    cursor.end = cursor.bytes.length;
    cursor.isLast = piece === undefined;
    isSkipped ||= step(() => {
      cursor.skip();
      return true;
    });
    if (isSkipped) isEnd = step(() => cursor.peek() === -1);
  });
  if (!isSkipped || !isEnd) throw cursor.unexpected();
}

function isAccepted(text: string, cuts: readonly number[] = []): boolean {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
  try {
    skipInPieces(pieces);
    return true;
  } catch (error) {
    assert.ok(error instanceof NotJson, String(error));
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('a cursor over JSON', () => {
  const cuts = fc.array(fc.nat(500), { maxLength: 6 });

  it('accepts any JSON, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(4), cuts, (text, indent, places) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        assert.ok(isAccepted(` \t\r\n${spaced}\n`, places), spaced);
      }),
    );
  });

  it('accepts exactly what JSON.parse accepts, also of changed texts', () => {
    const pieces = [
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '0',
      '-',
      '.',
      'e',
      '+',
      'true',
      ' ',
      '\n',
      '\u0001',
      'u12',
      '/',
    ];
    const change = fc.record({ at: fc.nat(300), cut: fc.nat(2), put: fc.constantFrom('', ...pieces) });
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.array(change, { maxLength: 3 }),
        cuts,
        (json, changes, places) => {
          let text = json;
          for (const { at, cut, put } of changes) {
            const place = at % (text.length + 1);
            text = text.slice(0, place) + put + text.slice(place + cut);
          }
          // Half a surrogate pair is no UTF-8.
          fc.pre(Buffer.from(text).toString() === text);
          assert.equal(isAccepted(text, places), isJson(text), text);
        },
      ),
      { numRuns: 2000 },
    );
  });

  for (const text of [
    '',
    ' ',
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '+1',
    'tru',
    'nul',
    "'a'",
    '"a',
    '"\\x"',
    '"\\u12g4"',
    '"\t"',
    '[1,]',
    '[,]',
    '[1 2]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '{1:1}',
    '[}',
    '{]',
    ']',
    '1 1',
    '"a" "b"',
    '\u00a01',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isAccepted(text), false));

  for (const text of [
    '0',
    '-0',
    '-0.5e-7',
    '1E+2',
    '"\\u00e9\\ud83d\\ude00\\/\\b"',
    '"é😀"',
    '[]',
    '{}',
    '[[],{}]',
    '{"":null}',
  ])
    it(`accepts ${text}`, () => assert.equal(isAccepted(text), true));

  it('limits how deep values are nested', () => {
    assert.ok(isAccepted('['.repeat(500) + ']'.repeat(500)));
    assert.equal(isAccepted('['.repeat(100_000)), false);
  });

  it('reads whole numbers, and consumes nothing of others', () => {
    for (const [text, value] of [
      ['17,', 17],
      ['-3]', -3],
      ['0 ', 0],
      ['123456789012345', 123_456_789_012_345],
      ['1234567890123456', NaN],
      ['1.5', NaN],
      ['1e3', NaN],
      ['007', NaN],
      ['-', NaN],
      ['x', NaN],
      ['"1"', NaN],
    ] as const) {
      const cursor = new JsonCursor();
      cursor.bytes = Buffer.from(text);
      cursor.end = text.length;
      cursor.isLast = true;
      assert.equal(cursor.integer(), value, text);
      if (Number.isNaN(value)) assert.equal(cursor.position, 0, text);
    }
  });

  it('waits for more bytes where a number may continue', () => {
    const cursor = new JsonCursor();
    cursor.bytes = Buffer.from('17');
    cursor.end = 2;
    assert.throws(() => cursor.integer(), NeedsMoreBytes);
    assert.throws(() => cursor.number(), NeedsMoreBytes);
    assert.equal(cursor.position, 0);
  });

  it('finds the end of a string without checking its text', () => {
    const cursor = new JsonCursor();
    cursor.bytes = Buffer.from('"a\\"b\\\\","c"');
    cursor.end = cursor.bytes.length;
    cursor.opaqueString();
    assert.equal(cursor.position, 8);
    cursor.take(44);
    cursor.string();
    assert.deepEqual([cursor.textStart, cursor.textEnd], [10, 11]);
  });
});
