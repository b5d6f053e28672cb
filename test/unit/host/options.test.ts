import { deepEqual, equal, rejects } from 'node:assert/strict';
import { command, runCommand } from '../../../src/host/editor/command';
import {
  oneOf,
  type Option,
  optional,
  optionalFlag,
  optionalNumber,
  optionalOneOf,
  optionalText,
  text,
  texts,
} from '../../../src/host/options';

const signedIn = { isSignedIn: () => true, signIn: () => Promise.resolve(true) };

/** What a command gets from a call: its caller, its options' values, and other arguments. */
async function called(options: Readonly<Record<string, Option<unknown>>>, args: readonly unknown[]) {
  let got: { by: string; values?: unknown; rest: unknown[] } | undefined;
  const declared = command({
    options,
    program: (values, rest) => Promise.resolve(void (got = { by: 'program', values, rest })),
    person: rest => Promise.resolve(void (got = { by: 'person', rest })),
  });
  await runCommand(declared, args, signedIn, error => {
    throw error;
  });
  return got;
}

describe('A call of a command', () => {
  it("is a program's when its last argument is a plain object", async () => {
    deepEqual(await called({}, ['a', { b: 1 }]), { by: 'program', values: {}, rest: ['a'] });
    equal((await called({}, [Object.create(null)]))?.by, 'program');
  });

  it("is a person's otherwise", async () => {
    class Node {}
    for (const args of [[], ['a'], [['a']], [null], [new Node()], [{}, 'a']])
      deepEqual(await called({}, args), { by: 'person', rest: args });
  });

  it('without a part for a person does what it does for a program without options', async () => {
    const passed: unknown[] = [];
    const program = (values: unknown, rest: unknown[]) => Promise.resolve(passed.push(values, rest));
    const declared = command({ options: { masks: optionalFlag }, program });
    equal(await runCommand(declared, ['a'], signedIn, () => undefined), undefined);
    deepEqual(passed, [{ masks: false }, ['a']]);
  });
});

describe("A program's options", () => {
  it('are read as declared; others are ignored', async () => {
    const options = { jobId: text, masks: optionalFlag, limit: optionalNumber };
    const values = (await called(options, [{ jobId: '1', extra: 2 }]))?.values;
    deepEqual(values, { jobId: '1', masks: false, limit: undefined });
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
    it(`accept ${JSON.stringify(value)} as ${option.expected}`, async () => {
      deepEqual((await called({ it: option }, [{ it: value }]))?.values, { it: expected });
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
    it(`reject ${JSON.stringify(value)} as ${option.expected}`, async () => {
      await rejects(called({ name: option }, [{ name: value }]), {
        code: 'bad-request',
        message: `The argument "name" must be ${option.expected}`,
        details: { subject: 'name' },
      });
    });
  }
});
