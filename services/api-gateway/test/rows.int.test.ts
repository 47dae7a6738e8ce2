import { type AddressInfo, createServer, type Server } from 'node:net';
import { type HttpServer, startHttp } from '@order-automation/service/http';
import { z } from 'zod';
