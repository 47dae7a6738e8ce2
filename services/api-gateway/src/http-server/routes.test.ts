import { Router } from 'express';
import { allowedMethods } from './routes';

test('methods of a path, through mounted routers', () => {
  const inner = Router()
    .get('/:id', () => undefined)
    .put('/:id', () => undefined);
  const outer = Router()
    .use('/items', inner)
    .all('/any', () => undefined)
    .post('/items/:id/copies', () => undefined);
  const methods = (path: string) => allowedMethods(outer.stack as never, path);
  expect(methods('/items/1')).toEqual(['GET', 'HEAD', 'PUT']);
  expect(methods('/items/1/copies')).toEqual(['POST']);
  expect(methods('/items')).toEqual([]);
  expect(methods('/itemsx/1')).toEqual([]);
});
