import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { secretMask } from '../../../src/base/secretMask';

const isFull = Boolean(process.env['IA_FULL']);

const printable = fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code));
const keys = fc.string({ unit: printable, minLength: 8, maxLength: 60 });
const user = fc.string({ unit: printable, maxLength: 12 });

const encodings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': text => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded as a form': text => new URLSearchParams([['k', text]]).toString().slice(2),
  'percent-encoded throughout': text => text.replace(/./gsu, one => `%${one.charCodeAt(0).toString(16)}`),
  'percent-encoded twice': text => encodeURIComponent(encodeURIComponent(text)),
  'in JSON': text => JSON.stringify(text).slice(1, -1),
  'in JSON with escaped slashes': text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'in JSON as numbers': text =>
    text.replace(/./gsu, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in HTML': text => text.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`),
  'in hexadecimal': text => Buffer.from(text).toString('hex').toUpperCase(),
  'in base64': text => Buffer.from(text).toString('base64'),
  'in base64 for addresses': text => Buffer.from(text).toString('base64url'),
  'in base64, percent-encoded': text => encodeURIComponent(Buffer.from(text).toString('base64')),
};

/** The longest piece of `text` that stands in `inside`. */
function shared(text: string, inside: string): number {
  let longest = 0;
  for (let from = 0; from < text.length; from++) {
    while (inside.includes(text.slice(from, from + longest + 1)) && from + longest < text.length)
      longest += 1;
  }
  return longest;
}

const withoutSecret = (text: string, secret: string) => secretMask(secret)(text);

describe('A text without a secret', () => {
  for (const [name, encode] of Object.entries(encodings)) {
    it(`has no more of it where it stands ${name}`, () => {
      fc.assert(
        fc.property(keys, key => {
          const masked = withoutSecret(`before ${encode(key)} after`, key);
          assert.match(masked, /^before .*•••.* after$/);
          assert.ok(shared(encode(key), masked.slice(7, -6)) < 6, masked);
        }),
        { numRuns: isFull ? 1000 : 12 },
      );
    });
  }

  it('has no more of it where it stands in upper or lower case, in whatever encoding', () => {
    for (const key of ['k1-Secret/ab+c"d&e-Key', 'AbCdEfGh12', 'aZ09_kQwErTy%UiOp~Key']) {
      const mask = secretMask(key);
      for (const cased of [key.toUpperCase(), key.toLowerCase()])
        for (const [name, encode] of Object.entries(encodings)) {
          const masked = mask(`before ${encode(cased)} after`);
          assert.match(masked, /^before .*•••.* after$/, `${name}: ${masked}`);
          assert.ok(shared(encode(cased), masked.slice(7, -6)) < 6, `${name}: ${masked}`);
        }
    }
  });

  it('has no more of it where it stands in base64 with others before and after it', () => {
    fc.assert(
      fc.property(
        keys,
        user,
        user,
        fc.constantFrom('base64', 'base64url'),
        (key, before, after, encoding) => {
          const credentials = Buffer.from(`${before}:${key}${after}`).toString(encoding);
          assert.equal(
            withoutSecret(`Authorization: Basic ${credentials}, bad`, key),
            'Authorization: Basic •••, bad',
          );
        },
      ),
    );
  });

  it('has no more of it where it stands in base64 broken over lines, or with spaces between', () => {
    const gaps = fc.constantFrom('\n', '\r\n', '\r\n\t', ' ', '  ', '\\n', '\\r\\n', '%0D%0A', '%20');
    fc.assert(
      fc.property(
        keys,
        user,
        user,
        gaps,
        fc.integer({ min: 1, max: 76 }),
        (key, before, after, gap, width) => {
          const encoded = Buffer.from(`${before}:${key}${after}`).toString('base64');
          const broken = encoded.match(new RegExp(`.{1,${width}}`, 'g'))?.join(gap) ?? '';
          const masked = withoutSecret(`It said: ${broken} (bad)`, key);
          assert.match(masked, /^It said: .*•••.* \(bad\)$/su);
          const left = masked.replaceAll(gap, '');
          for (const offset of [0, 1, 2]) {
            const placed = Buffer.from(`${'x'.repeat(offset)}${key}`).toString('base64');
            assert.ok(shared(placed.slice(offset && offset + 1, -4), left) < 6, masked);
          }
        },
      ),
    );
  });

  it('is the same text where words happen to begin as base64 of it does', () => {
    const key = 'key-4711-secret';
    const encoded = Buffer.from(key).toString('base64');
    for (const text of [
      `${encoded.slice(0, 7)} ${encoded.slice(9)}`,
      encoded.slice(0, 12).split('').join(' '),
    ])
      assert.equal(withoutSecret(text, key), text);
    // Four bytes are too few to be looked for across words.
    assert.equal(withoutSecret('a2 V5 MQ', 'key1'), 'a2 V5 MQ');
  });

  it('is the same text where it holds none', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), text => {
        assert.equal(withoutSecret(text, 'no-such-key-4711'), text);
      }),
    );
    assert.equal(withoutSecret('any text', ''), 'any text');
  });

  it('has nothing left of a secret that is also the beginning of how it is written', () => {
    for (const [secret, written] of [
      ['secret-u0', 'secret-\\u0075\\u0030'],
      ['secret-%2', 'secret-%25%32'],
      ['secret-&#0', 'secret-&#038;&#035;&#048;'],
    ] as const)
      assert.equal(withoutSecret(`before ${written} after`, secret), 'before ••• after');
  });

  it('takes time in proportion to its length', () => {
    // These would take hours otherwise.
    withoutSecret('A'.repeat(5_000_000), 'AAAAAAAAAAAAAAAAAAAAAAAA!');
    withoutSecret('%25'.repeat(1_500_000), 'key%25key%25key%25');
  });
});
