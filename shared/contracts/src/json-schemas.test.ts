import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { digests, jsonSchemas, lockFile } from '../test/json-schemas';

const golden = join(__dirname, '../golden');

test('the lock file has the digest of every message: `npm run generate` writes it, and what changed is a further optional field or a new version', () => {
  expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toEqual(digests());
});

type Example = { input?: unknown; output?: unknown };

test('every golden example is valid by its JSON Schema too', () => {
  const ajv = addFormats(new Ajv({ strict: false })).addFormat('base64', /^[A-Za-z0-9+/]*={0,2}$/);
  const generated = jsonSchemas();
  const validate = (name: string, value: unknown) => {
    const schema = JSON.parse(generated.get(name) ?? 'false') as object;
    expect([name, ajv.validate(schema, value), ajv.errorsText()]).toEqual([name, true, 'No errors']);
  };
  for (const file of readdirSync(golden)) {
    const type = file.replace(/\.json$/, '');
    const text = readFileSync(join(golden, file), 'utf8').replace(/\{\s*"\$bytes": ("[^"]*")\s*\}/g, '$1');
    for (const example of JSON.parse(text) as Example[]) {
      if (example.input === undefined) validate(type, example);
      else {
        validate(`${type}.input`, example.input);
        validate(`${type}.output`, example.output);
      }
    }
  }
});
