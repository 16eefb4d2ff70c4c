package shellgate

import "strings"

// cloudTable: asking providers of machines. What describes and lists passes; what
// shows or makes credentials, and what writes what it got into a file, does not.
// The client's own configuration, in which a profile may name a program, is trusted.

// awsAsks are beginnings of operations of aws, of whatever service, that answer
// and do nothing else.
const awsAsks = "describe-* list-* head-*"

// awsGets are those of the operations get-* and batch-get-* that only answer, service by service:
// others hand out credentials, or write the answer into a file.
const awsGets = "acm:get-certificate apigateway:get-rest-api,get-rest-apis,get-resources,get-resource,get-stages,get-stage,get-deployments,get-method,get-integration " +
	"apigatewayv2:get-api,get-apis,get-routes,get-stages,get-integrations athena:get-query-execution,get-query-results,get-work-group budgets:get-* ce:get-* " +
	"cloudformation:get-template,get-template-summary,get-stack-policy codebuild:batch-get-builds,batch-get-projects,batch-get-build-batches,batch-get-reports cloudfront:get-distribution,get-distribution-config,get-invalidation " +
	"cloudwatch:get-metric-data,get-metric-statistics,get-dashboard codepipeline:get-pipeline,get-pipeline-state,get-pipeline-execution " +
	"codecommit:batch-get-repositories,batch-get-commits,get-repository,get-branch,get-commit,get-pull-request,get-differences deploy:batch-get-applications,batch-get-deployments,batch-get-deployment-groups,get-deployment,get-application,get-deployment-group " +
	"dynamodb:get-item,query,scan,transact-get-items,batch-get-item ec2:get-console-output,get-launch-template-data,get-ebs-encryption-by-default " +
	"ecr:batch-get-image,batch-get-repository-scanning-configuration,get-lifecycle-policy,get-repository-policy events:test-event-pattern glue:batch-get-jobs,batch-get-crawlers,batch-get-triggers,batch-get-workflows,batch-get-partition,get-table,get-tables,get-database,get-databases,get-job,get-jobs,get-job-run,get-job-runs,get-crawler,get-crawlers,get-partitions " +
	"guardduty:get-detector,get-findings iam:get-account-summary,get-user,get-role,get-group,get-policy,get-policy-version,get-role-policy,get-user-policy,get-group-policy,get-instance-profile,get-account-password-policy,get-account-authorization-details,get-access-key-last-used,get-open-id-connect-provider " +
	"kms:get-key-policy,get-key-rotation-status lambda:get-function,get-function-configuration,get-policy,get-account-settings,get-alias,get-layer-version,get-event-source-mapping,get-function-concurrency " +
	"logs:filter-log-events,get-log-events,get-query-results,tail,test-metric-filter resourcegroupstaggingapi:get-* route53:get-hosted-zone,get-change,get-health-check,get-health-check-status " +
	"s3:ls s3api:get-bucket-*,get-public-access-block,get-object-tagging,get-object-acl,get-object-attributes secretsmanager:get-resource-policy " +
	"securityhub:get-findings,get-enabled-standards service-quotas:get-* sns:get-topic-attributes,get-subscription-attributes sqs:get-queue-attributes,get-queue-url " +
	"ssm:get-parameter,get-parameters,get-parameters-by-path,get-parameter-history,get-command-invocation stepfunctions:get-execution-history sts:get-caller-identity " +
	"cloudtrail:lookup-events,get-trail,get-trail-status,get-event-selectors wafv2:get-web-acl,get-ip-set,get-rule-group xray:get-trace-summaries,get-trace-graph,get-service-graph,batch-get-traces configure:list"

// Options that all commands of a client have, and that name nothing to write.
const (
	awsValues    = "--profile --region --output --query --endpoint-url --color --cli-read-timeout --cli-connect-timeout --ca-bundle --cli-binary-format"
	awsFlags     = "--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --no-cli-auto-prompt"
	gcloudFlags  = "-q --quiet --help --uri --show-log --include-logs --no-user-output-enabled --log-http --global"
	gcloudValues = "--project --account --configuration --format --filter --limit --page-size --sort-by --flatten --verbosity --zone --zones --region --regions --location --billing-project --impersonate-service-account " +
		"--freshness --order --cluster --service --instance --database --folder --organization --repository --bucket --member --job --topic --keyring --platform --version --namespace --execution"
	azFlags  = "-h --help --debug --verbose --only-show-errors --all -d --show-details --include-deleted --expand-providers --refresh"
	azValues = "-o --output --query --subscription -g --resource-group -n --name --ids -l --location --resource-type --tag --filter --display-name --account-name --container-name --server --vnet-name --vault-name --registry --repository " +
		"--auth-mode --assignee --scope --role --resource --metric --interval --start-time --end-time --offset --top --max-events --status --org --organization --project -p --slot --orderby --cluster-name --id --deployment-name --workspace -w --analytics-query --timespan --prefix --num-results"
)

// bqValues are options of bq that name nothing to write or to read settings from.
const bqValues = "-format -project_id -dataset_id -location"

var cloudTable = []rule{
	{
		names: "aws", inner: awsOperation, why: RunsElse, never: "--with-decryption", values: awsValues,
	},
	{names: "gcloud", as: group, why: RunsElse, flags: gcloudFlags + " --version -v", values: gcloudValues},
	{names: "gcloud version, gcloud info, gcloud help", flags: gcloudFlags, values: gcloudValues, most: none, why: RunsElse},
	{names: "gcloud auth, gcloud components", first: "list", flags: gcloudFlags + " --filter-account", values: gcloudValues, why: RunsElse},
	{names: "gcloud config", as: either, first: "list get-value get", flags: gcloudFlags + " --all", values: gcloudValues, why: RunsElse},
	{names: "gcloud config configurations, gcloud projects, gcloud organizations, gcloud services, gcloud secrets", first: "list describe get-iam-policy get-ancestors", flags: gcloudFlags + " --enabled --available", values: gcloudValues, why: RunsElse},
	{names: "gcloud compute, gcloud container, gcloud run, gcloud app, gcloud sql, gcloud storage, gcloud logging, gcloud pubsub, gcloud dns, gcloud iam, gcloud artifacts, gcloud builds, gcloud functions, gcloud scheduler, gcloud tasks, gcloud redis, gcloud bigtable, gcloud dataproc, gcloud spanner, gcloud kms, gcloud resource-manager, gcloud billing, gcloud monitoring", as: either, first: "list describe read", flags: gcloudFlags, values: gcloudValues, why: RunsElse},
	{
		names: "gcloud compute instances, gcloud compute disks, gcloud compute images, gcloud compute networks, gcloud compute firewall-rules, gcloud compute zones, gcloud compute regions, gcloud compute machine-types, gcloud compute snapshots, gcloud compute addresses, gcloud compute forwarding-rules, gcloud compute backend-services, gcloud compute health-checks, gcloud compute url-maps, gcloud compute routers, gcloud compute routes, gcloud compute ssl-certificates, gcloud compute project-info, gcloud compute instance-groups, gcloud compute instance-templates, gcloud compute operations, " +
			"gcloud container clusters, gcloud container node-pools, gcloud container operations, gcloud container images, gcloud run services, gcloud run revisions, gcloud run jobs, gcloud run executions, gcloud app services, gcloud app versions, gcloud app instances, gcloud sql instances, gcloud sql databases, gcloud sql users, gcloud sql backups, gcloud sql operations, gcloud storage buckets, gcloud storage objects, gcloud logging logs, gcloud logging sinks, gcloud logging metrics, gcloud pubsub topics, gcloud pubsub subscriptions, gcloud dns managed-zones, gcloud dns record-sets, " +
			"gcloud iam service-accounts, gcloud iam roles, gcloud artifacts repositories, gcloud artifacts packages, gcloud artifacts versions, gcloud builds triggers, gcloud scheduler jobs, gcloud tasks queues, gcloud redis instances, gcloud bigtable instances, gcloud dataproc clusters, gcloud dataproc jobs, gcloud spanner instances, gcloud spanner databases, gcloud kms keyrings, gcloud kms keys, gcloud resource-manager folders, gcloud billing accounts, gcloud billing projects, gcloud monitoring dashboards",
		first: "list describe get-iam-policy list-tags", flags: gcloudFlags, values: gcloudValues, why: RunsElse,
	},
	{names: "gsutil", as: group, why: Changes, flags: "-m -q"},
	{names: "gsutil ls, gsutil du, gsutil stat, gsutil cat, gsutil version", flags: "-l -L -b -d -r -R -p -a -e -h -s -c", values: "-r", why: Changes},
	{names: "bq", as: group, why: Changes, single: true, flags: "-q -quiet", values: bqValues},
	{
		names: "bq ls, bq show, bq head, bq version", single: true, why: Changes, values: bqValues + " -n -max_results -s -start_row -k -page_token -c -selected_fields -filter",
		flags: "-q -quiet -a -all -j -jobs -p -projects -d -datasets -models -routines -schema -view -dataset -job -encryption_service_account -reservation -connection",
	},
	{names: "az", as: group, why: RunsElse, flags: azFlags + " --version", values: azValues},
	{names: "az version", flags: azFlags, values: azValues, most: none, why: RunsElse},
	{
		names: "az account, az group, az vm, az webapp, az functionapp, az aks, az acr, az cosmosdb, az keyvault, az resource, az containerapp, az disk, az image, az redis, az provider, az extension, az cloud, az tag, az lock, az feature, az snapshot, az vmss, az appservice, az staticwebapp, az eventhubs, az servicebus, az sql, az network, az storage, az role, az ad, az monitor, az deployment, az advisor, az consumption, az policy",
		as:    either, first: "list show list-locations exists list-sizes list-skus get-versions get-upgrades list-ip-addresses get-instance-view list-usage", flags: azFlags, values: azValues, why: RunsElse,
	},
	{
		names: "az sql server, az sql db, az network vnet, az network nsg, az network nic, az network lb, az network public-ip, az network application-gateway, az network private-endpoint, az network route-table, az storage account, az storage container, az storage blob, az role assignment, az role definition, az ad user, az ad group, az ad sp, az ad app, az ad signed-in-user, az monitor metrics, az monitor activity-log, az monitor alert, az deployment group, az deployment sub, az keyvault key, az acr repository, az appservice plan, az webapp config, az webapp deployment, az policy assignment, az policy definition, az eventhubs namespace, az servicebus namespace, az consumption usage, az advisor recommendation",
		first: "list show exists show-tags list-definitions list-namespaces", flags: azFlags, values: azValues, why: RunsElse,
	},
}

// awsProblem looks for an operation that only answers, behind a service, with
// nothing before it that aws might read in another way.
func awsProblem(s scanned) *problem {
	if len(s.all) == 1 && s.all[0].text == "--version" {
		return nil
	}
	var words []arg
	for i := 0; i < len(s.all) && len(words) < 2; i++ {
		w := s.all[i]
		name, _, given := strings.Cut(w.text, "=")
		switch {
		case has(awsValues, name):
			if !given {
				i++
			}
		case has(awsFlags, w.text):
		case strings.HasPrefix(w.text, "-"), !w.known(), w.many:
			return &problem{reason: UnknownFlag, detail: w.src}
		default:
			words = append(words, w)
		}
	}
	switch {
	case len(words) == 1 && words[0].text == "help":
		return nil
	case len(words) < 2:
		return &problem{reason: RunsElse, detail: "aws"}
	}
	service, operation := words[0].text, words[1].text
	for asks := range strings.FieldsSeq(awsAsks) {
		if fits(asks, operation) {
			return nil
		}
	}
	for entry := range strings.FieldsSeq(awsGets) {
		of, operations, _ := strings.Cut(entry, ":")
		for pattern := range strings.SplitSeq(operations, ",") {
			if of == service && fits(pattern, operation) {
				return nil
			}
		}
	}
	return &problem{reason: RunsElse, detail: "aws " + service + " " + operation}
}
