import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { jsonSchemas, writeSchemas } from '../test/json-schemas';

const schemas = join(__dirname, '../schemas');
const golden = join(__dirname, '../golden');

test('the published schemas are those of the code: `npm run generate` writes them', () => {
  const written = readdirSync(schemas).map((name): [string, string] => [
    name,
    readFileSync(join(schemas, name), 'utf8'),
  ]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(jsonSchemas()));
});

test('writing removes what is gone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'schemas-'));
  writeFileSync(join(directory, 'old.v1.json'), '{}');
  writeSchemas(directory);
  expect(readdirSync(directory).sort()).toEqual([...jsonSchemas().keys()].sort());
  rmSync(directory, { recursive: true });
});

type Example = { input?: unknown; output?: unknown };

test('every golden example is valid by its JSON Schema too', () => {
  const ajv = addFormats(new Ajv({ strict: false })).addFormat('base64', /^[A-Za-z0-9+/]*={0,2}$/);
  const generated = jsonSchemas();
  const validate = (name: string, value: unknown) => {
    const schema = JSON.parse(generated.get(`${name}.json`) ?? 'false') as object;
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
