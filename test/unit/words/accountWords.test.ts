import { equal } from 'node:assert/strict';
import {
  accountBesideTitle,
  askForAccountWords,
  hostOf,
  accountNotice,
} from '../../../src/words/accountWords';
import { plainEnglish } from '../../../src/words/translate';

describe('An account on the screen', () => {
  const own = { baseUrl: 'https://lab.example', user: '7', email: 'ada@lab.example' };
  const other = { baseUrl: 'https://else.example:8443/a/', user: '8', email: 'ada@lab.example' };

  it('has its host, its port and its path', () => {
    equal(hostOf(own), 'lab.example');
    equal(hostOf(other), 'else.example:8443/a');
  });

  it('is told from one of the same email by its host, where several are known, which is not cut off', () => {
    equal(accountBesideTitle(own, true), 'ada@lab.example');
    equal(accountBesideTitle(own, false), 'lab.example · ada@lab.example');
    equal(accountBesideTitle({ ...own, email: undefined }, true), '7');
  });

  it('that a program wants is told beside the one in use', () => {
    equal(
      accountNotice(plainEnglish, 'signed-in', other, own),
      'A program signed in to else.example:8443/a as ada@lab.example. You still use ada@lab.example on lab.example.',
    );
    equal(
      accountNotice(plainEnglish, 'wants-to-switch', other, own),
      'A program wants to use ada@lab.example on else.example:8443/a. You still use ada@lab.example on lab.example.',
    );
    equal(
      askForAccountWords(plainEnglish, other, own).question,
      'Use ada@lab.example on else.example:8443/a instead of ada@lab.example on lab.example?',
    );
  });
});
