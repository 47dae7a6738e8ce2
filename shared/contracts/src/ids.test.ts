import fc from 'fast-check';
import { derivedId, idBound, newId, newProcessId } from './ids';

test('a process id is proc_ and a ULID', () => {
  expect(newProcessId(1_768_471_200_000)).toMatch(/^proc_[0-9A-HJKMNP-TV-Z]{26}$/);
});

test('ids are never twice the same, and sort as they were made', () => {
  const ids = Array.from({ length: 20_000 }, (_value, index) =>
    newId('evt', 1_768_471_200_000 + Math.floor(index / 5_000)),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test('a derived id is the same for the same parts, in whatever process', () => {
  expect(derivedId('a', 1)).toBe('135f17a475a61afdeeaf3759ad2e45ad');
  expect(derivedId('a', 1)).toMatch(/^[0-9a-f]{32}$/);
});

test('parts cannot run into each other', () => {
  expect(derivedId('ab', 'c')).not.toBe(derivedId('a', 'bc'));
  expect(derivedId('a', 1)).not.toBe(derivedId('a', '1'));
  expect(derivedId('a","b')).not.toBe(derivedId('a', 'b'));
  const parts = fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(derivedId(...a) === derivedId(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
  );
});

test('the bound of a time before 1970 is that of 1970', () => {
  expect(idBound('evt', -1)).toBe(idBound('evt', 0));
});
