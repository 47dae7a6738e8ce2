{{- define "order-automation.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "order-automation.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "order-automation.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "order-automation.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* Labels of everything; call with (dict "root" $ "component" name). */}}
{{- define "order-automation.labels" -}}
{{ include "order-automation.selector" . }}
app.kubernetes.io/part-of: order-automation
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "order-automation.selector" -}}
app.kubernetes.io/name: {{ include "order-automation.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "order-automation.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end }}
{{- end }}

{{- define "order-automation.secretName" -}}
{{- default (include "order-automation.fullname" .) .Values.secrets.existingSecret }}
{{- end }}

{{/* The Pod Security Standard "restricted". */}}
{{- define "order-automation.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .uid }}
runAsGroup: {{ .uid }}
fsGroup: {{ .uid }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "order-automation.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "order-automation.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: ops }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: ops }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
# A pod that ends leaves the Service before it closes. This is for a database that is slow: it is so for all pods, and senders rather wait.
readinessProbe:
  httpGet: { path: /readyz, port: ops }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{/* Where pods may and should be; call with (dict "root" $ "component" name). */}}
{{- define "order-automation.scheduling" -}}
{{- $values := .root.Values }}
{{- with $values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- range $key, $when := dict "topology.kubernetes.io/zone" $values.topologySpread.zone "kubernetes.io/hostname" $values.topologySpread.host }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: {{ $when }}
    labelSelector:
      matchLabels: {{- include "order-automation.selector" $ | nindent 8 }}
{{- end }}
{{- end }}

{{/*
The variables of a component as environment: those of `config` by value, those of `secrets.keys` as files. Call with
(dict "root" $ "variables" list).
*/}}
{{- define "order-automation.environment" -}}
{{- range $name := .variables }}
{{- if has $name $.root.Values.secrets.keys }}
- { name: {{ $name }}_FILE, value: /run/secrets/order-automation/{{ $name }} }
{{- else if hasKey $.root.Values.config $name }}
- { name: {{ $name }}, value: {{ index $.root.Values.config $name | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* The items of the Secret that a component mounts. */}}
{{- define "order-automation.secretItems" -}}
{{- range $name := .variables }}
{{- if has $name $.root.Values.secrets.keys }}
- { key: {{ $name }}, path: {{ $name }} }
{{- end }}
{{- end }}
{{- end }}

{{/* The names of the components that run, with commas between them. */}}
{{- define "order-automation.components" -}}
{{- $together := list "audit" "evaluation" "pro-debug" "rules" "shop" }}
{{- $others := ternary $together (list "worker") (eq .Values.composition "workers") }}
{{- $names := list }}
{{- range $name := keys .Values.services | sortAlpha }}
{{- if not (has $name $others) }}{{ $names = append $names $name }}{{ end }}
{{- end }}
{{- ternary "embedded" (join "," $names) .Values.embedded.enabled }}
{{- end }}

{{- define "order-automation.egressDns" -}}
- to:
    - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } }
  ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- end }}

{{- define "order-automation.egressOutbound" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        {{- with .Values.networkPolicy.outboundExcept }}
        except: {{- toYaml . | nindent 10 }}
        {{- end }}
  ports:
    {{- range .Values.networkPolicy.outboundPorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end }}
