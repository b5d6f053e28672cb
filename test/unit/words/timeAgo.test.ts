import { equal } from 'node:assert/strict';
import { timeAgo } from '../../../src/jobs/node/treeItems';

describe('How long ago something was', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const ago = (seconds: number) => timeAgo('en', now - seconds * 1000, now);

  it('is told in the largest unit, and as a date after a week', () => {
    equal(ago(59), 'now');
    equal(ago(60), '1m ago');
    equal(ago(59 * 60), '59m ago');
    equal(ago(3 * 3600), '3h ago');
    equal(ago(24 * 3600), 'yesterday');
    equal(ago(7 * 24 * 3600), '7d ago');
    equal(ago(8 * 24 * 3600), 'Mar 2, 2026');
  });

  it('is now where the clocks differ', () => {
    equal(ago(-300), 'now');
  });

  it('follows the language', () => {
    equal(timeAgo('de', now - 86_400_000, now), 'gestern');
  });
});
