import { deepEqual, equal, throws } from 'node:assert/strict';
import {
  oneOf,
  type Option,
  optional,
  optionalFlag,
  optionalNumber,
  optionalOneOf,
  optionalText,
  readCall,
  readOptions,
  text,
  texts,
} from '../../../src/host/options';

describe('A call of a command', () => {
  it("is a program's when its last argument is a plain object", () => {
    deepEqual(readCall(['a', { b: 1 }]), { program: true, options: { b: 1 }, rest: ['a'] });
    equal(readCall([Object.create(null)]).program, true);
  });

  it("is a person's otherwise", () => {
    class Node {}
    for (const args of [[], ['a'], [['a']], [null], [new Node()], [{}, 'a']])
      deepEqual(readCall(args), { program: false, rest: args });
  });
});

describe("A program's options", () => {
  it('are read as declared; others are ignored', () => {
    const options = { jobId: text, masks: optionalFlag, limit: optionalNumber };
    deepEqual(readOptions(options, { jobId: '1', extra: 2 }), { jobId: '1', masks: false, limit: undefined });
  });

  const valid: [Option<unknown>, unknown, unknown][] = [
    [optionalText, '', ''],
    [texts, ['a'], ['a']],
    [optionalFlag, null, false],
    [optionalNumber, 0, 0],
    [oneOf(['a', 'b']), 'b', 'b'],
    [optionalOneOf(['a', 'b']), undefined, 'a'],
    [optional(texts), undefined, undefined],
  ];
  for (const [option, value, expected] of valid) {
    it(`accept ${JSON.stringify(value)} as ${option.expected}`, () => {
      deepEqual(readOptions({ it: option }, { it: value }), { it: expected });
    });
  }

  const invalid: [Option<unknown>, unknown][] = [
    [text, ''],
    [text, undefined],
    [optionalText, 1],
    [texts, []],
    [texts, ['a', '']],
    [optionalFlag, 'true'],
    [optionalNumber, -1],
    [optionalNumber, 0.5],
    [optionalNumber, '1'],
    [oneOf(['a', 'b']), 'c'],
    [oneOf(['a', 'b']), undefined],
    [optional(texts), []],
  ];
  for (const [option, value] of invalid) {
    it(`reject ${JSON.stringify(value)} as ${option.expected}`, () => {
      throws(() => readOptions({ name: option }, { name: value }), {
        code: 'bad-request',
        message: `The argument "name" must be ${option.expected}`,
        details: { subject: 'name' },
      });
    });
  }
});
